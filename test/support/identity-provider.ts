import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
// @ts-expect-error: it has no types of its own
import Provider from "oidc-provider";

/** An OpenID Connect provider over HTTP whose user is signed in without being asked. */
export interface TestIdentityProvider {
  readonly issuer: string;
  /** Who signs in next. */
  userId: string;
  /** Where browsers may be sent back to. */
  redirectUrl: string;
  close(): void;
}

export const CLIENT = { clientId: "memory", clientSecret: "a-secret-of-the-client" };

/** How long a code is good. */
export const CODE_SECONDS = 60;

/** What is used of an interaction and of a grant. */
interface Interactions {
  interactionFinished(request: unknown, response: unknown, result: object): Promise<void>;
  callback(): (request: unknown, response: unknown) => Promise<void>;
  Grant: new (fields: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
}

export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: TestIdentityProvider = {
    issuer,
    userId: "user",
    redirectUrl: "http://127.0.0.1/unset",
    close: () => server.close(),
  };
  const { clientId, clientSecret } = CLIENT;
  let provider: Interactions | null = null;
  // Made when it is first asked: by then it is known where browsers are sent back to.
  const current = () => {
    provider ??= new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [started.redirectUrl],
        },
      ],
      features: { devInteractions: { enabled: false } },
      interactions: { url: () => "/interaction" },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId }),
      }),
      async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string } } }) {
        const { Grant } = current();
        const grant = new Grant({ clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope("openid");
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
  async get(url: string): Promise<Response> {
    const { origin } = new URL(url);
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
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
