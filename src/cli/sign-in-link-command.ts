import type { Command } from "commander";
import type { Run } from "./client.ts";

/** `sign-in-link`. */
export function addSignInLinkCommand(admin: Command, run: Run): void {
  admin
    .command("sign-in-link")
    .description(
      "Print a link that signs one person in to an account's dashboard, once, within ten minutes. " +
        "The account's link before it ends.",
    )
    .argument("[account]", "the account; left out: local")
    .action((companyId: string | undefined) =>
      run(async ({ signInLinks }) => (await signInLinks.createSignInLink({ companyId })).url),
    );
}
