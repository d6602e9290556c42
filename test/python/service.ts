import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { createServer as createTlsServer } from "node:tls";
import { createTestCertificate } from "../support/certificate.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** A service for tests in another language, and what they do to it beside calls. */
export interface ControlledService {
  readonly service: TestService;
  /** What the tests get to know. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** By HTTP a test makes an account, and has the time pass by which rates refill: none does else. */
export async function startControlledService(): Promise<ControlledService> {
  let nowMs = 0;
  const service = await startTestService({
    config: { rateLimit: true },
    monotonicMs: () => nowMs,
  });
  const control = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request));
    if (request.url === "/advance") nowMs += asked.seconds * 1_000;
    const plan = { rate: 1_000, burst: 1_000, ...asked };
    const key = request.url === "/accounts" ? (await service.createAccount(plan)).key : null;
    response.end(JSON.stringify({ key }));
  }).listen(0, "127.0.0.1");
  await once(control, "listening");

  const certificate = await createTestCertificate();
  const tls = createTlsServer(
    {
      cert: readFileSync(certificate.tls.certFile),
      key: readFileSync(certificate.tls.keyFile),
      ALPNProtocols: ["h2"],
    },
    (socket) => {
      const inner = connect(service.port, "127.0.0.1");
      for (const each of [socket, inner])
        each.on("error", () => [socket, inner].map((it) => it.destroy()));
      socket.pipe(inner).pipe(socket);
    },
  ).listen(0, "127.0.0.1");
  await once(tls, "listening");

  return {
    service,
    variables: {
      URL: service.url,
      CONTROL_URL: `http://127.0.0.1:${portOf(control)}`,
      TLS_URL: `https://localhost:${portOf(tls)}`,
      TLS_CA: certificate.ca,
    },
    async close() {
      control.close();
      tls.close();
      await certificate.remove();
      await service.close();
    },
  };
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  return (server.address() as AddressInfo).port;
}
