import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { SECOND } from "../../src/domain/instant.ts";
import { CERTIFICATE_CHECK_MS } from "../../src/edge/http/certificate.ts";
import type { Log } from "../../src/log.ts";
import { revokeApiKey } from "../../src/service/admin/api-keys.ts";
import { createTestCertificate, type TestCertificate } from "../support/certificate.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { holdEmbedder } from "../support/models.ts";
import {
  SILENT_LOG,
  startTestService,
  type TestAccount,
  type TestService,
  type TestServiceOptions,
} from "../support/service.ts";
import { startFailingService } from "../support/service-process.ts";
import { expectFailure, expectOk, listIds } from "./calls.ts";
import { rawRequest } from "./raw-http.ts";

async function start(options: TestServiceOptions): Promise<TestService> {
  const service = await startTestService(options);
  onTestFinished(() => service.close());
  return service;
}

/** A message of the Model Context Protocol. */
function toolCall(name: string, args: object): object {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
}

describe("plain HTTP where others reach the port", () => {
  test("D35: without a certificate the start is refused, with what to set", async () => {
    const { code, output } = await startFailingService({ HOST: "0.0.0.0" });
    expect(code).toBe(1);
    expect(output).toMatch(
      /^ {2}HOST: 0\.0\.0\.0 .*TLS_CERT_FILE.*TRUST_PROXY=1.*INSECURE_HTTP=1/m,
    );
    await expect(startTestService({ config: { host: "0.0.0.0" } })).rejects.toThrow(
      "0.0.0.0 (0.0.0.0) is not loopback",
    );
  });

  test("D35: a file that is missing or no certificate is told by its variable", async () => {
    const certificate = await createTestCertificate();
    onTestFinished(() => certificate.remove());
    const { certFile, keyFile } = certificate.tls;
    for (const [tls, told] of [
      [{ certFile, keyFile: "/missing" }, "TLS_KEY_FILE cannot be read: ENOENT"],
      [{ certFile: "/missing", keyFile }, "TLS_CERT_FILE cannot be read: ENOENT"],
      [{ certFile: keyFile, keyFile }, "TLS_CERT_FILE and TLS_KEY_FILE are no certificate"],
    ] as const) {
      await expect(startTestService({ config: { tls } })).rejects.toThrow(told);
    }
  });

  test("D35: for the operator's port it is the same, and with a certificate it speaks TLS", async () => {
    const admin = { host: "0.0.0.0", port: 0, token: "token-of-the-operator", url: null };
    await expect(startTestService({ config: { admin } })).rejects.toThrow(
      "0.0.0.0 (0.0.0.0) is not loopback",
    );
    const certificate = await createTestCertificate();
    onTestFinished(() => certificate.remove());
    const service = await start({ config: { admin, tls: certificate.tls } });
    const plain = await rawRequest(`http://127.0.0.1:${service.adminPort}`, "GET", "/metrics");
    expectFailure(plain, 308, "https_required");
    const { port } = await start({ config: { admin, trustProxy: true } });
    expect(port).toBeGreaterThan(0);
  });

  test("D35: a risk taken by name is served without a word of a proxy's", async () => {
    const service = await start({ config: { host: "0.0.0.0", insecureHttp: true } });
    const { key } = await service.createAccount();
    const headers = { authorization: `Bearer ${key}`, "x-forwarded-proto": "http" };
    expectOk(await rawRequest(service.url, "GET", "/plan/status", { headers }));
  });

  test("D35: before it a proxy ends TLS, and what reached that one over plain HTTP is redirected", async () => {
    const service = await start({ config: { host: "0.0.0.0", trustProxy: true } });
    const { key } = await service.createAccount();
    const ask = (method: string, headers: Record<string, string>, path = "/plan/status?a=b") =>
      rawRequest(service.url, method, path, {
        headers: { authorization: `Bearer ${key}`, host: "memory.example", ...headers },
      });

    expectOk(await ask("GET", {}, "/plan/status"));
    expectOk(await ask("GET", { "x-forwarded-proto": "https" }, "/plan/status"));
    const redirects: [string, Record<string, string>][] = [
      ["memory.example", { "x-forwarded-proto": "http" }],
      ["memory.example", { "x-forwarded-proto": "HTTP, https", host: "memory.example:80" }],
      ["public.example", { "x-forwarded-proto": "http", "x-forwarded-host": "public.example, x" }],
    ];
    for (const [host, headers] of redirects) {
      for (const method of ["GET", "POST", "DELETE"]) {
        const answer = await ask(method, headers);
        expectFailure(answer, 308, "https_required");
        expect(answer.headers.get("location")).toBe(`https://${host}/plan/status?a=b`);
      }
    }
    const forged = { "x-forwarded-proto": "http", "x-forwarded-host": "evil.example/path" };
    expectFailure(await ask("GET", forged), 400, "malformed_request");
    for (const path of ["/healthz", "/readyz"]) {
      expectOk(await ask("GET", { "x-forwarded-proto": "http" }, path));
    }
  });
});

describe("a certificate that is renewed", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A service with a certificate, in a time that the test moves on by itself. */
  async function startSecure() {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const certificate = await createTestCertificate();
    const logged: string[] = [];
    const keep = (_fields: object, message: string) => void logged.push(message);
    const log: Log = { ...SILENT_LOG, info: keep, error: keep };
    const { port } = await start({ config: { tls: certificate.tls }, log });
    onTestFinished(() => certificate.remove());
    return { port, certificate, logged };
  }

  /** The files are looked at once more, until the log says what came of it. */
  async function look(logged: readonly string[], count: number): Promise<void> {
    vi.advanceTimersByTime(CERTIFICATE_CHECK_MS);
    await vi.waitFor(() => expect(logged).toHaveLength(count), { timeout: 60_000 });
  }

  async function connect(port: number, ca: string): Promise<TLSSocket> {
    const socket = connectTls({ port, host: "localhost", ca, ALPNProtocols: ["http/1.1"] });
    onTestFinished(() => void socket.destroy());
    await once(socket, "secureConnect");
    return socket;
  }

  async function healthOver(socket: TLSSocket): Promise<string> {
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [chunk] = await once(socket, "data");
    return String(chunk);
  }

  test("D35: is served to new connections, and those that are open go on", async () => {
    const { port, certificate, logged } = await startSecure();
    const before = await connect(port, certificate.ca);
    const renewed = await certificate.renew();
    await look(logged, 1);
    const after = await connect(port, renewed);
    await expect(connect(port, certificate.ca)).rejects.toThrow("self-signed certificate");
    for (const socket of [before, after]) {
      expect(await healthOver(socket)).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  test.each<[string, (certificate: TestCertificate) => Promise<unknown>]>([
    [
      "has another key",
      async ({ tls }) => {
        const other = await createTestCertificate();
        await writeFile(tls.certFile, other.ca);
        await other.remove();
      },
    ],
    ["is gone", (certificate) => certificate.remove()],
  ])("D35: one that %s is logged once, and the one before stays", async (_, spoil) => {
    const { port, certificate, logged } = await startSecure();
    await spoil(certificate);
    await look(logged, 1);
    expect(logged).toEqual(["the certificate stays: the new one is no use"]);
    expect(await healthOver(await connect(port, certificate.ca))).toMatch(/^HTTP\/1\.1 200 /);
    vi.advanceTimersByTime(3 * CERTIFICATE_CHECK_MS);
    expect(await healthOver(await connect(port, certificate.ca))).toMatch(/^HTTP\/1\.1 200 /);
    expect(logged).toHaveLength(1);
  });
});

describe("a defect outside of the methods", () => {
  test.each([
    ["REST", "GET", "/plan/status", {}],
    [
      "Connect",
      "POST",
      "/agentmemory.v1.PlanService/GetPlanStatus",
      { "content-type": "application/json" },
    ],
  ])(
    "D13a: over %s it is answered with 500 and logged, without a word of it to the caller",
    async (_, method, path, headers) => {
      const error = vi.fn();
      const service = await start({ log: { ...SILENT_LOG, error } });
      const { key } = await service.createAccount();
      const defect = new Error("a secret");
      vi.spyOn(service.context.callers, "get").mockImplementation(() => {
        throw defect;
      });
      const body = method === "POST" ? "{}" : undefined;
      const authorization = `Bearer ${key}`;
      const answer = await rawRequest(service.url, method, path, {
        headers: { authorization, ...headers },
        body,
      });
      expect(answer.status).toBe(500);
      expect(JSON.stringify(answer.body)).not.toContain("secret");
      expect(error.mock.calls).toEqual([
        [{ err: defect, method: "GetPlanStatus" }, "a call failed"],
      ]);
    },
  );
});

/** Of the tests below, each with accounts of its own. */
const service = await forThisFile(startTestService());

describe("a key that is revoked while a body arrives", () => {
  const WRITE = { content: "Ada lives in Paris" };

  /** Sends half of a write, has `between` happen, and then sends the rest. */
  async function writeSlowly(
    { key }: TestAccount,
    path: string,
    message: object,
    between: () => Promise<void>,
  ): Promise<{ status: number; body: string; challenge: unknown }> {
    const sent = JSON.stringify(message);
    const headers = {
      authorization: `Bearer ${key}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "content-length": sent.length,
    };
    const look = vi.spyOn(service.context.callers, "get");
    const outgoing = request(service.url + path, { method: "POST", headers, agent: false });
    outgoing.write(sent.slice(0, 10));
    await vi.waitFor(() => expect(look).toHaveBeenCalled(), { timeout: 60_000 });
    await between();
    outgoing.end(sent.slice(10));
    const [incoming]: IncomingMessage[] = await once(outgoing, "response");
    const body = incoming === undefined ? "" : await text(incoming);
    look.mockRestore();
    const challenge = incoming?.headers["www-authenticate"];
    return { status: incoming?.statusCode ?? 0, body, challenge };
  }

  test.each([
    ["REST", "/agent/memories", WRITE],
    ["Connect", "/agentmemory.v1.MemoryService/CreateMemories", WRITE],
    ["MCP", "/mcp", toolCall("remember", WRITE)],
  ])("D36: over %s it is refused, and nothing is written", async (_, path, message) => {
    const account = await service.createAccount();
    const other = await service.createKey(account.companyId);
    const kept = await writeSlowly(account, path, message, async () => {});
    expect(kept.status).toBe(200);
    const refused = await writeSlowly(account, path, message, async () => {
      await revokeApiKey(service.context, service.context.db, account.apiKeyId);
      service.clock.advance(SECOND);
    });
    expect(refused.status).toBe(401);
    expect(refused.body).toContain("was revoked");
    expect(refused.challenge).toBe('Bearer error="invalid_token"');
    const { body } = await other.rest("GET", "/plan/status");
    expect(body.writes_used).toBe(1);
  });

  test("D36: a message of MCP that calls no tool is refused too", async () => {
    const account = await service.createAccount();
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const refused = await writeSlowly(account, "/mcp", message, async () => {
      await revokeApiKey(service.context, service.context.db, account.apiKeyId);
      service.clock.advance(SECOND);
    });
    expect(refused.status).toBe(401);
  });
});

describe("a key that is revoked while its request is worked on", () => {
  test.each([
    ["D36: by a write, nothing is written", "/agent/memories", { content: "Ada lives in Paris" }],
    ["D36: by a question, nothing is answered", "/agent/query", { question: "Where is Ada?" }],
    [
      "D36: by a tool, it is the host that is told",
      "/mcp",
      toolCall("search", { question: "Where is Ada?" }),
    ],
  ])("%s", async (_, path, body) => {
    const account = await service.createAccount();
    const other = await service.createKey(account.companyId);
    const held = holdEmbedder(service);
    const headers = { accept: "application/json, text/event-stream" };
    const answer = account.rest("POST", path, { body, headers });
    await Promise.race([held.entered, answer]);
    await revokeApiKey(service.context, service.context.db, account.apiKeyId);
    service.clock.advance(SECOND);
    held.release();
    expectFailure(await answer, 401, "unauthenticated");
    expect(await listIds(other)).toEqual([]);
    expectOk(await other.rest("POST", path, { body, headers }));
  });
});
