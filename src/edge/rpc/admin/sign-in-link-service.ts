import type { ServiceImpl } from "@connectrpc/connect";
import type { SignInLinkService } from "../../../../gen/agentmemory/admin/v1/sign_in_link_service_pb.ts";
import { Failure } from "../../../domain/failure.ts";

/** The handler of SignInLinkService. `issue` answers a link; null: nobody signs in by one. */
export function signInLinkService(
  issue: (() => Promise<string>) | null,
): ServiceImpl<typeof SignInLinkService> {
  return {
    async createSignInLink() {
      if (issue === null) {
        const sentence =
          "nobody signs in by a link: that takes the dashboard, the embedded database, and an API that this machine alone reaches";
        throw new Failure("no_sign_in_link", sentence);
      }
      return { url: await issue() };
    },
  };
}
