import { expect, test } from "vitest";
import { isLoopback } from "../src/loopback.ts";

test.each(["127.0.0.1", "127.9.9.9", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1", "localhost"])(
  "only this machine reaches %s",
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  ...["0.0.0.0", "::", "10.0.0.1", "128.0.0.1", "::2", "::ffff:10.0.0.1", "::127.0.0.1"],
  ...["::ffff:127.0.0.1", "fe80::1", "127.1", "2130706433", "0x7f.0.0.1", "127.0.0.1.example"],
  ...["localhost.example", "LOCALHOST", " localhost", "my-machine", ""],
])("other machines may reach %j", (host) => {
  expect(isLoopback(host)).toBe(false);
});
