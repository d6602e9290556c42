/** Connecting a host by the URL of the service alone (D49): the SDK's client, a real provider. */
import { randomUUID } from "node:crypto";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { toCompanyId } from "../../src/domain/ids.ts";
import { createAccount } from "../../src/service/admin/accounts.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { ASSISTANT, Browser, CLIENT, startIdentityProvider } from "../support/identity-provider.ts";
import { startTestService } from "../support/service.ts";

const provider = await forThisFile(startIdentityProvider());
// The port is asked for, as the tokens must name the URL of the service.
const port = 20_000 + Math.floor(Math.random() * 9_000);
const url = `http://127.0.0.1:${port}`;
const redirectUrl = `${url}/dashboard/sign-in/callback`;
const openId = { issuer: provider.issuer, ...CLIENT, redirectUrl, signedOutUrl: url };
provider.redirectUrl = redirectUrl;
const service = await forThisFile(
  startTestService({
    config: { port, dashboard: { url: null, provider: openId, signUp: false } },
  }),
);
const resource = `${url}/mcp`;

async function createUser(): Promise<string> {
  const userId = `user-${randomUUID()}`;
  await createAccount(service.context, { companyId: toCompanyId(userId) });
  return userId;
}

/** A host that knows the URL, and whose user signs in at the provider. */
async function connect(userId: string) {
  provider.userId = userId;
  let asked = "";
  let verifier = "";
  // biome-ignore lint/suspicious/noExplicitAny: what the SDK saves, it reads
  let saved: any;
  const authProvider = {
    redirectUrl: ASSISTANT.redirectUrl,
    clientMetadata: { redirect_uris: [ASSISTANT.redirectUrl] },
    clientInformation: () => ({ client_id: ASSISTANT.clientId }),
    tokens: () => saved,
    saveTokens: (tokens: unknown) => {
      saved = tokens;
    },
    redirectToAuthorization: (url: URL) => {
      asked = url.href;
    },
    saveCodeVerifier: (code: string) => {
      verifier = code;
    },
    codeVerifier: () => verifier,
  };
  const transport = () => new StreamableHTTPClientTransport(new URL(resource), { authProvider });
  const first = transport();
  const client = () => new Client({ name: "assistant", version: "1" });
  await expect(client().connect(first)).rejects.toThrow(UnauthorizedError);
  const isBack = (url: string) => url.startsWith(ASSISTANT.redirectUrl);
  const back = new URL(await new Browser().follow(asked, isBack));
  await first.finishAuth(String(back.searchParams.get("code")));
  const connected = client();
  await connected.connect(transport());
  return connected;
}

/** A message to the endpoint with a token; what it is answered with. */
async function send(token: string | null, name = "list_memories") {
  const answer = await fetch(resource, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: name === "remember" ? { content: "Ada lives in Paris" } : {} },
    }),
  });
  const text = await answer.text();
  return { status: answer.status, text, challenge: answer.headers.get("www-authenticate") };
}

describe("D49: access tokens of the operator's provider", () => {
  test("a host that knows the URL alone remembers and searches for its user", async () => {
    const userId = await createUser();
    const client = await connect(userId);
    const remembered = await client.callTool({
      name: "remember",
      arguments: { content: "Ada lives in Paris" },
    });
    expect(remembered.isError).toBeFalsy();
    const found = await client.callTool({
      name: "search",
      arguments: { question: "Where is Ada?" },
    });
    expect(JSON.stringify(found)).toContain("Ada lives in Paris");
    await client.close();
  });

  test("the metadata say whose tokens it takes, and an answer of 401 where they are", async () => {
    const { origin } = new URL(resource);
    const metadataUrl = `${origin}/.well-known/oauth-protected-resource`;
    for (const url of [metadataUrl, `${metadataUrl}/mcp`]) {
      const answer = await fetch(url);
      expect(await answer.json()).toEqual({
        resource,
        authorization_servers: [provider.issuer],
        scopes_supported: ["read", "write", "delete", "import"],
        bearer_methods_supported: ["header"],
      });
    }
    const named = `resource_metadata="${metadataUrl}"`;
    expect(await send(null)).toMatchObject({ status: 401, challenge: `Bearer ${named}` });
    expect(await send("nobody's")).toMatchObject({
      status: 401,
      challenge: `Bearer error="invalid_token", ${named}`,
    });
  });

  test.each<{ what: string; claims: object; status: number }>([
    { what: "with the right", claims: { scope: "openid write" }, status: 200 },
    { what: "without a scope of this service", claims: { scope: "openid" }, status: 200 },
    { what: "of a list of scopes", claims: { scp: ["read", "write"] }, status: 200 },
    { what: "for another resource", claims: { aud: "https://example.com/mcp" }, status: 401 },
    { what: "of another issuer", claims: { iss: "https://example.com" }, status: 401 },
    { what: "that has expired", claims: { exp: 1_600_000_000 }, status: 401 },
    { what: "that never ends", claims: { exp: undefined }, status: 401 },
    { what: "of a user without an account", claims: { sub: "nobody" }, status: 401 },
    { what: "of a user without tenants", claims: { tenants: [] }, status: 401 },
    { what: "whose tenants cannot be read", claims: { tenants: [1, { name: "a" }] }, status: 401 },
  ])("a token $what: $status", async ({ claims, status }) => {
    const sub = await createUser();
    const token = await provider.signAccessToken({ sub, aud: resource, ...claims });
    const answer = await send(token, "remember");
    expect(answer.status, answer.text).toBe(status);
    if (status === 200) expect(answer.text).not.toContain('"isError":true');
  });

  test("claims give the rights and the tenants of a token (D48)", async () => {
    const sub = await createUser();
    const sign = (claims: object) => provider.signAccessToken({ sub, aud: resource, ...claims });
    const reading = await send(await sign({ scope: "read" }), "remember");
    expect(reading.text).toContain("not_permitted");
    for (const tenants of [["team-*"], "team-1"]) {
      const ofTenant = await send(await sign({ tenants }), "remember");
      expect(ofTenant.text).toContain("not_permitted");
    }
  });

  test("is taken there alone", async () => {
    const token = await provider.signAccessToken({ sub: await createUser(), aud: resource });
    const answer = await fetch(new URL("/plan/status", resource), {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(401);
  });
});
