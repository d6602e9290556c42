import type { Config, DashboardConfig } from "../config/config.ts";
import { createProtectedResource } from "../edge/access-tokens.ts";
import type { Admission } from "../edge/admission.ts";
import type { DashboardOptions } from "../edge/api.ts";
import { dashboardDocuments, documentPaths } from "../edge/documents.ts";
import type { PathTable } from "../edge/http/answers.ts";
import { MCP_PATH } from "../edge/mcp-endpoint.ts";
import { backChannelLogoutPaths, signInPaths } from "../edge/sign-in-pages.ts";
import type { IdentityProvider } from "../identity/identity-provider.ts";
import type { MemoryContext } from "../service/context.ts";
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
  ledger: UsageLedger,
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
