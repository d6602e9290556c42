/** The client in a web page that is not of the service's own origin. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TransportName } from "agent-memory/client/browser";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { browserTest, NO_BROWSER } from "../support/chromium.ts";
import { startTestService, type TestService } from "../support/service.ts";

describe.skipIf(NO_BROWSER)(`a web page${NO_BROWSER ? `: ${NO_BROWSER}` : ""}`, () => {
  let service: TestService;
  let named: Site;
  let unnamed: Site;
  beforeAll(async () => {
    const script = await bundle("page.ts");
    [named, unnamed] = await Promise.all([startSite(script), startSite(script)]);
    service = await startTestService({ config: { corsOrigins: [named.origin] } });
  });
  afterAll(async () => {
    await service.close();
    named.server.close();
    unnamed.server.close();
  });

  browserTest.for<TransportName>(["connect", "grpc-web", "rest"])(
    "calls by %s where CORS_ORIGINS names its origin, and stores nothing where not",
    async (transport, { browser }) => {
      const { key: apiKey, rest } = await service.createAccount();
      const page = await browser.newPage();
      const callFrom = async ({ origin }: Site) => {
        await page.goto(origin);
        const options = { url: service.url, apiKey, transport };
        return page.evaluate((given) => globalThis.useClient(given), options);
      };
      try {
        await expect(callFrom(unnamed)).rejects.toThrow("the service could not be reached");
        expect((await rest("GET", "/plan/status")).body.writes_used).toBe(0);
        expect(await callFrom(named)).toEqual({
          answer: expect.stringContaining("Berlin"),
          cited: 1,
          planTier: "starter",
          refusal: { reason: "invalid_field", field: "limit", requestId: expect.any(String) },
        });
      } finally {
        await page.close();
      }
    },
  );
});

interface Site {
  readonly origin: string;
  readonly server: Server;
}

/** A web server with a page that runs the script, on an origin of its own. */
async function startSite(script: string): Promise<Site> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><script type="module">${script}</script>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function bundle(file: string): Promise<string> {
  const bundled = await rolldown({ input: join(import.meta.dirname, file), platform: "browser" });
  const { output } = await bundled.generate();
  await bundled.close();
  return output[0].code.replaceAll("</script", "<\\/script");
}
