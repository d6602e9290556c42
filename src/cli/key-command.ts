import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Command } from "commander";
import { time } from "./arguments.ts";
import { allPages, type Run } from "./client.ts";
import { apiKeyRow, apiKeyTable, jsonText } from "./output.ts";

interface CreateOptions {
  readonly name?: string;
  readonly expires?: Timestamp;
}

/** `key create | list | revoke`. */
export function addKeyCommand(admin: Command, run: Run): void {
  const key = admin.command("key").description("API keys of an account.");

  key
    .command("create")
    .description("Create a key and print it, alone. It is shown only this once.")
    .argument("<COMPANY_ID>")
    .option("--name <NAME>", "What people call the key.")
    .option("--expires <ISO>", "When the key ends. It has no end otherwise.", time)
    .action((companyId: string, { name, expires: expiresAt }: CreateOptions) =>
      run(
        async ({ apiKeys }) => (await apiKeys.createApiKey({ companyId, name, expiresAt })).secret,
      ),
    );

  key
    .command("list")
    .description("List the keys of an account, oldest first, revoked ones too.")
    .argument("<COMPANY_ID>")
    .option("--json", "Print an array of keys.")
    .action((companyId: string, { json }: { readonly json?: boolean }) =>
      run(async ({ apiKeys }) => {
        const keys = await allPages(async (pageToken) => {
          const page = await apiKeys.listApiKeys({ companyId, pageToken });
          return { entries: page.apiKeys, nextPageToken: page.nextPageToken };
        });
        const rows = keys.map(apiKeyRow);
        return json ? jsonText(rows) : apiKeyTable(rows);
      }),
    );

  key
    .command("revoke")
    .description("Revoke a key for good. It takes effect within one second, on every server.")
    .argument("<KEY_ID>", "The ID of the key as it is listed, not the key itself.")
    .action((id: string) =>
      run(async ({ apiKeys }) => {
        const { apiKey } = await apiKeys.revokeApiKey({ id });
        return `revoked ${apiKey?.id} (${apiKey?.prefix}…)`;
      }),
    );
}
