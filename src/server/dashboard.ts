import type { Config } from "../config/config.ts";
import { createProtectedResource } from "../edge/access-tokens.ts";
import type { Admission } from "../edge/admission.ts";
import type { DashboardOptions } from "../edge/api.ts";
import { DASHBOARD_PATH, dashboardDocuments, documentPaths } from "../edge/documents.ts";
import { type Exchange, type PathTable, sendError } from "../edge/http/answers.ts";
import { MCP_PATH } from "../edge/mcp-endpoint.ts";
import { signInPaths } from "../edge/sign-in-pages.ts";
import type { MemoryContext } from "../service/context.ts";

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
  shared: Pick<DashboardOptions, "callLog" | "adminPort">,
): Promise<ComposedDashboard | null> {
  if (dashboard === null) return null;
  const documents = documentPaths(await dashboardDocuments(DASHBOARD_FILES));
  const paths: PathTable<Admission> = new Map([...documents, ["/", FRONT_DOOR]]);
  if (dashboard.provider === null) return { paths, provider: null, resource: null, ...shared };
  // Loaded only here: its library takes memory that most services do not need.
  const { createOpenIdProvider } = await import("../identity/openid.ts");
  const provider = createOpenIdProvider(dashboard.provider);
  const pages = signInPaths(context, provider, dashboard.signUp);
  const mcpUrl = new URL(MCP_PATH, dashboard.provider.redirectUrl).href;
  const resource = createProtectedResource(provider, mcpUrl);
  return { paths: new Map([...paths, ...pages, ...resource.paths]), provider, resource, ...shared };
}

/** Browsers come to the dashboard; to programs there is nothing at this path. */
const FRONT_DOOR = {
  kind: "page",
  methods: ["GET"],
  handle({ request, response }: Exchange) {
    if (request.headers.accept?.includes("text/html")) {
      response.writeHead(302, { location: DASHBOARD_PATH });
      response.end();
    } else sendError(response, 404, "path_not_found", "there is nothing at this path");
  },
} as const;
