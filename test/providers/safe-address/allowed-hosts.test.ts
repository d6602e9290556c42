import { describe, expect, test } from "vitest";
import { createAllowedHosts } from "../../../src/providers/safe-address/allowed-hosts.ts";
import { tablesIn } from "../../support/tables.ts";

const table = tablesIn(import.meta.dirname, "allowed-hosts.cases.json");

describe("the base_url of a caller's model (D27)", () => {
  const none = createAllowedHosts([]);
  const some = createAllowedHosts([
    "llm.example",
    "llm.example:8443",
    "Bücher.example",
    "ollama:11434",
    "10.1.2.3:8000",
    "[::1]:8000",
  ]);

  test.each(table<[string, string]>("the base_url of a caller's model (D27): … is allowed"))(
    "%s is allowed",
    (given, used) => {
      expect(some.checkBaseUrl(given)).toBe(used);
      expect(() => none.checkBaseUrl(given)).toThrow("`llm.base_url` must be on a host");
    },
  );

  test.each(table<[string, string]>("the base_url of a caller's model (D27): … is refused"))(
    "%s is refused",
    (_, baseUrl) => {
      for (const hosts of [none, some]) {
        expect(() => hosts.checkBaseUrl(baseUrl)).toThrow(
          expect.objectContaining({ reason: "invalid_field", field: "llm.base_url" }),
        );
      }
    },
  );
});

describe("what a host may resolve to", () => {
  const hosts = createAllowedHosts(["llm.example", "vllm.corp.example", "ollama", "10.1.2.3"]);

  test.each(table<[string, string]>("what a host may resolve to: … to …: yes"))(
    "%s to %s: yes",
    (host, address) => {
      expect(hosts.permits(host, address)).toBe(true);
    },
  );

  test.each(table<string>("what a host may resolve to: a public name to …: no"))(
    "a public name to %j: no",
    (address) => {
      expect(hosts.permits("llm.example", address)).toBe(false);
    },
  );

  test.each([
    ["a private name that was not allowed", "postgres", "172.18.0.5"],
    ["a private name to a cloud's metadata", "ollama", "169.254.169.254"],
    ["a private name to a cloud's metadata over IPv6", "ollama", "fd00:ec2::254"],
    ["a private name to no address", "ollama", "0.0.0.0"],
    ["a public name to another private address than was allowed", "vllm.corp.example", "10.1.2.4"],
  ])("%s: no", (_, host, address) => {
    expect(hosts.permits(host, address)).toBe(false);
  });
});

test.each(["http://x", "a b", "[::1", "x:", "x:1:2", ""])("%j is no entry of the list", (entry) => {
  expect(() => createAllowedHosts([entry])).toThrow();
});
