/** Past what all addresses together may have, the oldest makes room. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { RequestsWithoutAccount } from "../../src/edge/requests-without-account.ts";
import { http2Session, listen } from "./listener-fixture.ts";

test("past the limit of all addresses that response ends which began longest ago", async () => {
  const MAX = 3;
  const requests = new RequestsWithoutAccount({
    addressOf: ({ url }) => url ?? "",
    knownAccountOf: () => null,
    maxOfAll: MAX,
  });
  const { port } = await listen({
    handler: (request, response) => {
      requests.begin(request, response);
      response.write("begun");
      if (request.url === "/of-an-account") requests.belongsToAccount(request);
    },
  });
  const session = http2Session(port);
  const ended: string[] = [];
  const open = async (path: string) => {
    const stream = session.request({ ":path": path }).on("error", () => {});
    stream.once("close", () => ended.push(path));
    await once(stream, "response");
  };
  for (const path of ["/of-an-account", "/1", "/2", "/3"]) await open(path);
  expect(ended).toEqual([]);
  await open("/4");
  await open("/5");
  await expect.poll(() => ended, { timeout: 60_000 }).toEqual(["/1", "/2"]);
});
