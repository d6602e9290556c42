import type { Config, DashboardConfig } from "../config/config.ts";
import { createProtectedResource } from "../edge/access-tokens.ts";
import type { Admission } from "../edge/admission.ts";
import type { DashboardOptions } from "../edge/api.ts";
import { dashboardDocuments, documentPaths } from "../edge/documents.ts";
import type { PathTable } from "../edge/http/answers.ts";
import { MCP_PATH } from "../edge/mcp-endpoint.ts";
import { backChannelLogoutPaths, signInPaths } from "../edge/sign-in-pages.ts";
import type { IdentityProvider } from "../identity/identity-provider.ts";
import { getAccount, hasLocalAccount, LOCAL_COMPANY_ID } from "../service/admin/accounts.ts";
import type { MemoryContext } from "../service/context.ts";
import { SignInLink } from "../service/sessions.ts";
import type { UsageLedger } from "../service/usage-ledger.ts";

/** `npm run build` makes these files of `packages/dashboard`; `npm start` runs it. */
const DASHBOARD_FILES = new URL("../../dist/dashboard/", import.meta.url);

/** The parts of the dashboard. */
export interface ComposedDashboard extends DashboardOptions {
  /** The dashboard's files, and the paths of signing in and out. */
  readonly paths: PathTable<Admission>;
}

/** null: there is no dashboard. */
export async function composeDashboard(
  { dashboard }: Config,
  context: MemoryContext,
  { signInLink, ledger }: { readonly signInLink: SignInLink | null; readonly ledger: UsageLedger },
): Promise<ComposedDashboard | null> {
  if (dashboard === null) return null;
  const { signUp } = dashboard;
  const provider = await createProvider(dashboard);
  const pages =
    provider === null
      ? []
      : [
          ...signInPaths({ context, provider, signUp }),
          ...backChannelLogoutPaths({ context, provider }),
        ];
  const resource =
    provider === null || dashboard.provider === null
      ? null
      : createProtectedResource(provider, new URL(MCP_PATH, dashboard.provider.redirectUrl).href);
  const documents = documentPaths(await dashboardDocuments(DASHBOARD_FILES));
  return {
    paths: new Map([...documents, ...pages, ...(resource?.paths ?? [])]),
    signInLink,
    provider,
    resource,
    ledger,
  };
}

/** Loads its library only here: it takes memory that most services do not need. */
async function createProvider({ provider }: DashboardConfig): Promise<IdentityProvider | null> {
  if (provider === null) return null;
  return (await import("../identity/openid.ts")).createOpenIdProvider(provider);
}

/** The link that signs in without an identity provider. */
export interface ComposedSignInLink {
  readonly link: SignInLink;
  /** Returns a new link, once the API is served. Throws `account_not_found`. */
  issueUrl(): Promise<string>;
  /** Receives the address of the API. Returns the first link; null: there is no account for it. */
  servedAt(url: string): Promise<string | null>;
}

/** `isLoopback`: only this machine reaches the API. null: there is no sign-in by a link. */
export function composeSignInLink(
  { dashboard, database, trustProxy }: Config,
  context: MemoryContext,
  isLoopback: boolean,
): ComposedSignInLink | null {
  // Only the operator reaches a loopback address and reads the output of the process.
  const hasLink = dashboard !== null && database.engine === "pglite" && isLoopback && !trustProxy;
  if (!hasLink) return null;
  const link = new SignInLink(LOCAL_COMPANY_ID, context);
  const served = Promise.withResolvers<string>();
  const issueUrl = async () => `${await served.promise}/dashboard#/sign-in/${link.issue()}`;
  return {
    link,
    async issueUrl() {
      await getAccount(context, LOCAL_COMPANY_ID);
      return issueUrl();
    },
    async servedAt(url) {
      served.resolve(url);
      return (await hasLocalAccount(context)) ? issueUrl() : null;
    },
  };
}
