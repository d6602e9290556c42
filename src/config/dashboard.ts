import { isLoopback } from "../loopback.ts";
import { baseUrl, oneOf, secretText, type ValuesOf, visibleText } from "./variable.ts";

/** How the accounts' dashboard is served. */
export interface DashboardConfig {
  /** null: no identity provider signs in. */
  readonly provider: OpenIdConfig | null;
  /** Whether the first sign-in of a user creates an account. */
  readonly signUp: boolean;
}

/** An OpenID Connect provider, and what the service is for it. */
export interface OpenIdConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** null: a public client, which has PKCE alone. */
  readonly clientSecret: string | null;
  /** Where the provider sends browsers back to. */
  readonly redirectUrl: string;
  /** And where, once somebody signed out there too. */
  readonly signedOutUrl: string;
}

/** Below the address where browsers reach the service. */
const CALLBACK_PATH = "/dashboard/sign-in/callback";
const SIGNED_OUT_PATH = "/dashboard";
const MAX_CLIENT_ID_CHARACTERS = 256;
const MIN_CLIENT_SECRET_CHARACTERS = 8;

export const DASHBOARD_VARIABLES = {
  DASHBOARD: oneOf(
    "on",
    ["on", "off"],
    "Whether the accounts' web dashboard is served at `/dashboard`; `off`: only keys are taken.",
  ),
  DASHBOARD_URL: baseUrl(
    `Where browsers reach the service, without a path; the provider sends them back to \`${CALLBACK_PATH}\` there.`,
  ),
  OIDC_ISSUER: baseUrl("OpenID Connect provider whose users sign in; unset: none."),
  OIDC_CLIENT_ID: visibleText(MAX_CLIENT_ID_CHARACTERS, "What the service is called there."),
  OIDC_CLIENT_SECRET: secretText(
    MIN_CLIENT_SECRET_CHARACTERS,
    "Its secret; unset: a public client, with PKCE alone.",
  ),
  SIGN_UP: oneOf(
    "off",
    ["on", "off"],
    "`on`: the first sign-in of a user of the provider creates an account, whose company_id is the user's ID there.",
  ),
} as const;

type Values = ValuesOf<typeof DASHBOARD_VARIABLES>;

/** Rules between these variables. */
export function dashboardContradictions(
  { OIDC_ISSUER: issuer }: Values,
  isSet: (name: keyof typeof DASHBOARD_VARIABLES) => boolean,
): string[] {
  const needed = ["OIDC_CLIENT_ID", "DASHBOARD_URL"] as const;
  if (isSet("OIDC_ISSUER")) {
    const problems = needed
      .filter((name) => !isSet(name))
      .map((name) => `${name}: must be set when OIDC_ISSUER is`);
    const { protocol, hostname } = new URL(issuer ?? "https://unreadable");
    if (protocol === "http:" && !isLoopback(hostname)) {
      problems.push("OIDC_ISSUER: must start with https:// where it is not on loopback");
    }
    return problems;
  }
  return (["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const)
    .filter(isSet)
    .map((name) => `OIDC_ISSUER: must be set when ${name} is`);
}

/** null: there is no dashboard. */
export function assembleDashboard(values: Values): DashboardConfig | null {
  if (values.DASHBOARD === "off") return null;
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, DASHBOARD_URL: url } = values;
  const hasProvider = issuer !== null && clientId !== null && url !== null;
  return Object.freeze({
    provider: hasProvider
      ? Object.freeze({
          issuer,
          clientId,
          clientSecret: values.OIDC_CLIENT_SECRET,
          redirectUrl: new URL(CALLBACK_PATH, url).href,
          signedOutUrl: new URL(SIGNED_OUT_PATH, url).href,
        })
      : null,
    signUp: values.SIGN_UP === "on",
  });
}
