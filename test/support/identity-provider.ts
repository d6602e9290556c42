import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
// @ts-expect-error: it has no types of its own
import Provider from "oidc-provider";

/** An OpenID Connect provider over HTTP whose user is signed in without being asked. */
export interface TestIdentityProvider {
  readonly issuer: string;
  /** Who signs in next. */
  userId: string;
  /** Where browsers may be sent back to. */
  redirectUrl: string;
  /** And once they signed out. */
  signedOutUrl: string;
  /** Where it says that somebody signed out; set before it is first asked. */
  logoutUrl: string | null;
  /** A logout token as it signs them, with these claims in place of its own; undefined: without it. */
  signLogoutToken(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** An access token for a user and a resource, as it signs them, with these claims besides. */
  signAccessToken(claims: Readonly<Record<string, unknown>>): Promise<string>;
  close(): void;
}

/** A public client that asks for access tokens, as a hosted assistant is. */
export const ASSISTANT = {
  clientId: "assistant",
  redirectUrl: "https://assistant.example.com/callback",
};
/** Scopes that a user grants it. */
const GRANTED = "openid read write delete import";

export const CLIENT = { clientId: "memory", clientSecret: "a-secret-of-the-client" };

/** How long a code is good. */
export const CODE_SECONDS = 60;

/** What is used of an interaction and of a grant. */
interface Interactions {
  interactionFinished(request: unknown, response: unknown, result: object): Promise<void>;
  callback(): (request: unknown, response: unknown) => Promise<void>;
  Grant: new (
    fields: object,
  ) => {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  };
}

/** What is asked for, of what the provider knows of a request. */
interface Asked {
  readonly session: { readonly accountId: string };
  readonly client: { readonly clientId: string };
  readonly params: { readonly resource?: string };
}

const KEY_ID = "key-of-the-provider";
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  const { clientId, clientSecret } = CLIENT;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sign = (typ: string, claims: Readonly<Record<string, unknown>>) =>
    new SignJWT({ iss: issuer, iat: Math.floor(Date.now() / 1_000), ...claims })
      .setProtectedHeader({ alg: "RS256", typ, kid: KEY_ID })
      .sign(privateKey);
  const started: TestIdentityProvider = {
    issuer,
    userId: "user",
    redirectUrl: "http://127.0.0.1/unset",
    signedOutUrl: "http://127.0.0.1/unset",
    logoutUrl: null,
    close: () => server.close(),
    signLogoutToken: (claims) =>
      sign("logout+jwt", {
        aud: clientId,
        jti: randomUUID(),
        events: { [LOGOUT_EVENT]: {} },
        ...claims,
      }),
    signAccessToken: (claims) =>
      sign("at+jwt", { exp: Math.floor(Date.now() / 1_000) + 60, ...claims }),
  };
  const key = { ...(await exportJWK(privateKey)), kid: KEY_ID, use: "sig", alg: "RS256" };
  let provider: Interactions | null = null;
  // Made when it is first asked: by then it is known where browsers are sent back to.
  const current = () => {
    provider ??= new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [started.redirectUrl],
          post_logout_redirect_uris: [started.signedOutUrl],
          ...(started.logoutUrl !== null && {
            backchannel_logout_uri: started.logoutUrl,
            backchannel_logout_session_required: true,
          }),
        },
        {
          client_id: ASSISTANT.clientId,
          token_endpoint_auth_method: "none",
          redirect_uris: [ASSISTANT.redirectUrl],
        },
      ],
      scopes: ["openid", "read", "write", "delete", "import"],
      jwks: { keys: [key] },
      // Its own refuses addresses of loopback.
      fetch: (url: string, { dispatcher: _, ...init }: RequestInit & { dispatcher: unknown }) =>
        fetch(url, init),
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_: unknown, audience: string) => ({
            scope: "read write delete import",
            audience,
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: "RS256" } },
          }),
        },
        backchannelLogout: { enabled: started.logoutUrl !== null },
        rpInitiatedLogout: {
          logoutSource: (context: { body: string }, form: string) => {
            context.body = form;
          },
        },
      },
      interactions: { url: () => "/interaction" },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId }),
      }),
      async loadExistingGrant({ oidc }: { oidc: Asked }) {
        const { Grant } = current();
        const { accountId } = oidc.session;
        const grant = new Grant({ clientId: oidc.client.clientId, accountId });
        grant.addOIDCScope(GRANTED);
        if (oidc.params.resource) grant.addResourceScope(oidc.params.resource, GRANTED);
        await grant.save();
        return grant;
      },
      ttl: {
        AccessToken: 60,
        AuthorizationCode: CODE_SECONDS,
        Grant: 60,
        IdToken: 60,
        Interaction: 60,
        Session: 60,
      },
    }) as Interactions;
    return provider;
  };
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/interaction") === true) {
      const login = { accountId: started.userId };
      void current().interactionFinished(request, response, { login });
    } else void current().callback()(request, response);
  });
  return started;
}

/** Follows redirects as a browser does, with a cookie jar for each origin. */
export class Browser {
  readonly #jars = new Map<string, Map<string, string>>();

  /** The answer to a request, redirects not followed. */
  async get(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url);
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Sends the one form of a page, as its button does; the answer, redirects not followed. */
  async submit(page: Response, fields: Readonly<Record<string, string>>): Promise<Response> {
    const html = await page.text();
    const [, action = ""] = /action="([^"]+)"/.exec(html) ?? [];
    const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(html) ?? [];
    const body = new URLSearchParams({ xsrf, ...fields });
    return this.get(new URL(action, page.url).href, { method: "POST", body });
  }

  /** Follows redirects until `stop` says that an address is not to be asked for; returns that. */
  async follow(url: string, stop: (url: string) => boolean): Promise<string> {
    let next = url;
    for (let hops = 0; hops < 10 && !stop(next); hops++) {
      const location = (await this.get(next)).headers.get("location");
      if (location === null) return next;
      next = new URL(location, next).href;
    }
    return next;
  }

  cookieOf(url: string, name: string): string | undefined {
    return this.#jars.get(new URL(url).origin)?.get(name);
  }
}
