import { fromJson } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { ApiKeySchema } from "../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import { listed, time } from "./arguments.ts";
import { pagesOf, type Shell } from "./client.ts";
import { printsRows, row } from "./output.ts";

interface CreateOptions {
  readonly name?: string;
  readonly expires?: string;
  readonly rights?: string[];
  readonly tenants?: string[];
}

/** `key create | list | revoke`. */
export function addKeyCommand({ admin, run }: Shell): void {
  const key = admin.command("key").description("API keys of an account.");

  key
    .command("create <COMPANY_ID>")
    .description("Create a key and print it, alone. It is shown only this once.")
    .option("--name <NAME>", "What people call the key.")
    .option("--expires <ISO>", "When the key ends. It has no end otherwise.", time)
    .option(
      "--rights <LIST>",
      "What it may do, of read,write,delete,import; read,write,delete by default.",
      listed,
    )
    .option(
      "--tenants <LIST>",
      "The tenants that it may use: names, or beginnings that end in *. All by default.",
      listed,
    )
    .action((companyId: string, { expires, ...fields }: CreateOptions) =>
      run(async ({ apiKeys }) => {
        const expiresAt = expires === undefined ? undefined : fromJson(TimestampSchema, expires);
        return (await apiKeys.createApiKey({ companyId, expiresAt, ...fields })).secret;
      }),
    );

  const list = key
    .command("list <COMPANY_ID>")
    .description("List the keys of an account, oldest first, revoked ones too.");
  // Of the account that was named.
  const columns = ApiKeySchema.fields.flatMap(({ name }) => (name === "company_id" ? [] : name));
  printsRows(list, { run }, columns, async ({ apiKeys }, companyId) => {
    const pages = pagesOf((pageToken) => apiKeys.listApiKeys({ companyId, pageToken }));
    return (await Array.fromAsync(pages)).flatMap((page) =>
      page.apiKeys.map((apiKey) => row(ApiKeySchema, apiKey)),
    );
  });

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
