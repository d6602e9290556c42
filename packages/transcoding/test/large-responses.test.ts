/** Responses that are written piece by piece, as fast as their readers take them. */
import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, test } from "vitest";
import { MIN_PIECE_CHARACTERS } from "../src/json/writer.ts";
import { HTTP_VERSIONS, outcomeOf, readNothing, type TestServer } from "./http-fixture.ts";
import { libraryHandler, registry } from "./library-fixture.ts";
import { messageOf } from "./protos-fixture.ts";

const kinds = messageOf(registry, "Kinds");
const PIECES = 200;
/** Each fills a piece, and is longer in JSON. */
const TEXT = "\u0001".repeat(MIN_PIECE_CHARACTERS / 6);

const ECHO = {
  method: "POST",
  path: "/echo",
  headers: { "content-type": "application/json" },
  body: "{}",
};

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A list of texts that counts those that were asked for; `broken` is none. */
function countedTexts(broken: number | null = null) {
  const asked = { count: 0 };
  const texts = new Proxy(new Array<string>(PIECES).fill(TEXT), {
    get(target, key, receiver) {
      if (typeof key !== "string" || !/^\d+$/.test(key)) return Reflect.get(target, key, receiver);
      asked.count++;
      if (Number(key) === broken) throw new RangeError("this one cannot be written");
      return target[Number(key)];
    },
  });
  const message = create(kinds, {});
  return { asked, message: Object.assign(message, { texts }) };
}

describe.each(HTTP_VERSIONS)("a large response over $version", ({ version, serve }) => {
  test("comes whole, without a length, and the process has its turn between pieces", async () => {
    const { message } = countedTexts();
    server = await serve(libraryHandler({ echo: () => message }));
    let turns = 0;
    const timer = setImmediate(function turn() {
      turns++;
      next = setImmediate(turn);
    });
    let next = timer;
    const answer = await server.send(ECHO);
    clearImmediate(next);
    expect(JSON.parse(answer.text).texts).toEqual(new Array(PIECES).fill(TEXT));
    expect(answer.headers["content-length"]).toBeUndefined();
    expect(turns).toBeGreaterThan(PIECES);
  });

  test("that nobody reads is not made, and its call ends with its client", async () => {
    const { asked, message } = countedTexts();
    const { outcome, watched } = outcomeOf(libraryHandler({ echo: () => message }));
    server = await serve(watched);
    const leave = readNothing(version, server.port, ECHO);
    await expect.poll(() => asked.count).toBeGreaterThan(1);
    let before = 0;
    while (asked.count > before) {
      before = asked.count;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    // The system holds some megabytes of a connection by itself.
    expect(asked.count).toBeLessThan(PIECES / 2);
    leave();
    expect(await outcome.last).toBeNull();
  });

  test("that cannot be finished is broken off, and whoever serves it learns why", async () => {
    const { message } = countedTexts(PIECES / 2);
    const { outcome, watched } = outcomeOf(libraryHandler({ echo: () => message }));
    server = await serve(watched);
    await expect(server.send(ECHO)).rejects.toThrow();
    expect(await outcome.last).toBeInstanceOf(RangeError);
  });
});
