/** What a supervisor starts, which keeps a log of standard output and has no terminal. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { newTestLocation, TEST_ENGINES } from "../support/database.ts";
import { createRestClient } from "../support/rest-client.ts";
import { databaseVariables, PROCESS_VARIABLES } from "../support/service-process.ts";

const START = join(import.meta.dirname, "../../src/start.mjs");

function start(variables: Readonly<Record<string, string>>, nodeArguments: readonly string[] = []) {
  const child = spawn(process.execPath, [...nodeArguments, START], {
    env: { ...PROCESS_VARIABLES, PORT: "0", ADMIN_PORT: "0", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, out: text(child.stdout), closed: once(child, "close") };
}

test.each(TEST_ENGINES)(
  "in production standard output is the log, line by line, and the first key is not in it: %s",
  async (engine) => {
    const place = await newTestLocation(engine);
    const { child, out, closed } = start({
      ...databaseVariables(place.location),
      NODE_ENV: "production",
    });
    let said = "";
    for await (const chunk of child.stderr.setEncoding("utf8")) {
      said += chunk;
      if (/^Ask:/m.test(said)) break;
    }
    const [key = ""] = /\bsvc_\w+/.exec(said) ?? [];
    const [, url = ""] = /^api +(\S+)/m.exec(said) ?? [];
    expect((await createRestClient(url, key)("GET", "/plan/status")).status).toBe(200);
    child.kill("SIGTERM");
    const lines = (await out).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ msg: "call", status: 200, account: "local" }),
    );
    expect(lines.join()).not.toContain(key);
    expect((await closed)[0]).toBe(0);
    await place.remove();
  },
);

test("on a Node.js that is too old it says so in one line, and ends", async () => {
  const older = `
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.9.0" } });
    Object.defineProperty(process, "version", { value: "v22.9.0" });`;
  const pretending = ["--import", `data:text/javascript,${encodeURIComponent(older)}`];
  const { child, out, closed } = start({}, pretending);
  const said = await text(child.stderr);
  expect(said).toBe("This service needs Node.js 24 or later; this is v22.9.0.\n");
  expect(await out).toBe("");
  expect((await closed)[0]).toBe(1);
});
