import type { Config } from "./config.ts";
import type { DashboardOptions } from "./edge/api-handler.ts";
import { dashboardDocuments } from "./edge/dashboard-documents.ts";
import type { PublicDocument } from "./edge/http/public-document.ts";
import { createSignInPages } from "./edge/sign-in-pages.ts";
import { LOCAL_COMPANY_ID } from "./service/admin/accounts.ts";
import type { ServiceContext } from "./service/context.ts";
import { SignInLink } from "./service/sign-in-link.ts";
import type { UsageLedger } from "./service/usage-ledger.ts";

/** What `npm run build` makes of `src/dashboard`, as `npm start` does. */
const DASHBOARD_FILES = new URL("../dist/dashboard/", import.meta.url);

/** What the dashboard is made of, put together. */
export interface ComposedDashboard extends DashboardOptions {
  readonly documents: Readonly<Record<string, PublicDocument>>;
  /** null: no identity provider signs in. */
  readonly signInPages: ReturnType<typeof createSignInPages> | null;
}

/** `isLoopback`: nobody else reaches the API. null: there is no dashboard. */
export async function composeDashboard(
  { dashboard, database, trustProxy }: Config,
  context: ServiceContext,
  { isLoopback, ledger }: { readonly isLoopback: boolean; readonly ledger: UsageLedger },
): Promise<ComposedDashboard | null> {
  if (dashboard === null) return null;
  const { provider, signUp } = dashboard;
  // Whoever reaches a loopback address and reads what the process prints is its operator.
  const hasLink = database.engine === "pglite" && isLoopback && !trustProxy;
  const signInPages =
    provider === null
      ? null
      : createSignInPages({
          context,
          // Its library takes memory that most services do without.
          provider: (await import("./identity/openid.ts")).createOpenIdProvider(provider),
          signUp,
          trustProxy,
        });
  return {
    documents: await dashboardDocuments(DASHBOARD_FILES),
    signInPages,
    signInLink: hasLink ? new SignInLink(LOCAL_COMPANY_ID, context.randomBytes) : null,
    hasProvider: signInPages !== null,
    ledger,
  };
}
