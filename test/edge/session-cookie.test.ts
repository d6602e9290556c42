import { expect, test } from "vitest";
import { sessionCookie, sessionTokenOf } from "../../src/edge/sign-in-pages.ts";

const TOKEN = "t".repeat(43);
const SECURE = { isSecure: true };
const PLAIN = { isSecure: false };

test("over TLS the cookie is of this host alone, and is sent over TLS alone", () => {
  expect(sessionCookie(TOKEN, SECURE)).toBe(
    `__Host-agent_memory_session=${TOKEN}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure`,
  );
  expect(sessionCookie("", SECURE)).toMatch(/^__Host-agent_memory_session=; .*Max-Age=0;.*Secure$/);
});

test.each([
  ["its own", `a=b; __Host-agent_memory_session=${TOKEN}; c=d`, SECURE, TOKEN],
  ["one that another host could set", `agent_memory_session=${TOKEN}`, SECURE, null],
  ["its own over plain HTTP", `agent_memory_session=${TOKEN}`, PLAIN, TOKEN],
  ["one whose name only ends so", `x_agent_memory_session=${TOKEN}`, PLAIN, null],
  ["what is no token", "agent_memory_session=short", PLAIN, null],
  ["none", "", PLAIN, null],
] as const)("the token of a request with %s", (_, cookie, origin, token) => {
  expect(sessionTokenOf(new Headers({ cookie }), origin)).toBe(token);
});
