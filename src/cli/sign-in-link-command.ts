import type { Command } from "commander";
import type { Run } from "./client.ts";

/** `sign-in-link`. */
export function addSignInLinkCommand(admin: Command, run: Run): void {
  admin
    .command("sign-in-link")
    .description(
      "Print a link that signs in to the dashboard of the account `local`, once, on the machine of " +
        "the service. The link before it ends.",
    )
    .action(() => run(async ({ signInLinks }) => (await signInLinks.createSignInLink({})).url));
}
