import { describe, expect, test } from "vitest";
import { createAllowedHosts } from "../../../src/providers/safe-address/allowed-hosts.ts";

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

  test.each([
    ["https://llm.example/v1", "https://llm.example/v1"],
    ["https://LLM.Example./v1/", "https://llm.example./v1"],
    ["https://llm.example:443/v1", "https://llm.example/v1"],
    ["https://llm.example:8443", "https://llm.example:8443"],
    ["https://xn--bcher-kva.example/v1", "https://xn--bcher-kva.example/v1"],
    ["https://bücher.example/v1", "https://xn--bcher-kva.example/v1"],
    ["http://ollama:11434/v1", "http://ollama:11434/v1"],
    ["https://ollama:11434/v1", "https://ollama:11434/v1"],
    ["http://10.1.2.3:8000/v1", "http://10.1.2.3:8000/v1"],
    ["http://0xa010203:8000/v1", "http://10.1.2.3:8000/v1"],
    ["http://[::ffff:10.1.2.3]:8000/v1", "http://[::ffff:a01:203]:8000/v1"],
    ["http://[0:0:0:0:0:0:0:1]:8000/v1", "http://[::1]:8000/v1"],
  ])("%s is allowed", (given, used) => {
    expect(some.checkBaseUrl(given)).toBe(used);
    expect(() => none.checkBaseUrl(given)).toThrow("`llm.base_url` must be on a host");
  });

  test.each([
    ["no URL", "llm.example/v1"],
    ["empty", ""],
    ["another scheme", "ftp://llm.example/v1"],
    ["a file", "file:///etc/passwd"],
    ["data", "data:application/json,{}"],
    ["a user", "https://user@llm.example/v1"],
    ["a user that looks like the host", "https://llm.example@evil.example/v1"],
    ["a password", "https://user:password@llm.example/v1"],
    ["a query", "https://llm.example/v1?key=1"],
    ["a fragment", "https://llm.example/v1#x"],
    ["no https, on the internet", "http://llm.example/v1"],
    ["another port", "https://llm.example:9000/v1"],
    ["port 0", "https://llm.example:0/v1"],
    ["another port of a private host", "http://ollama:22/v1"],
    ["the port of the scheme only", "http://ollama/v1"],
    ["another host", "https://evil.example/v1"],
    ["a host that ends alike", "https://evil-llm.example/v1"],
    ["a host below it", "https://a.llm.example/v1"],
    ["a host that begins alike", "https://llm.example.evil.example/v1"],
    ["a backslash before another host", "https://evil.example\\@llm.example/v1"],
    ["loopback as one number", "http://2130706433/v1"],
    ["loopback in hexadecimal", "http://0x7f000001/v1"],
    ["loopback in octal", "http://0177.0.0.1/v1"],
    ["loopback, short", "http://127.1/v1"],
    ["loopback with a dot at its end", "http://127.0.0.1./v1"],
    ["loopback within IPv6", "http://[::ffff:127.0.0.1]/v1"],
    ["loopback within IPv6, the old way", "http://[::127.0.0.1]/v1"],
    ["loopback in full-width digits", "http://１２７.０.０.１/v1"],
    ["no address", "http://0.0.0.0/v1"],
    ["no address, short", "http://0/v1"],
    ["loopback of IPv6, another port", "http://[::1]/v1"],
    ["a cloud's metadata", "http://169.254.169.254/latest/meta-data"],
    ["a cloud's metadata by name", "http://metadata.google.internal/computeMetadata/v1"],
    ["localhost", "http://localhost:11434/v1"],
    ["localhost in capitals with a dot", "http://LOCALHOST.:11434/v1"],
  ])("%s is refused", (_, baseUrl) => {
    for (const hosts of [none, some]) {
      expect(() => hosts.checkBaseUrl(baseUrl)).toThrow(
        expect.objectContaining({ reason: "invalid_field", field: "llm.base_url" }),
      );
    }
  });
});

describe("what a host may resolve to", () => {
  const hosts = createAllowedHosts(["llm.example", "vllm.corp.example", "ollama", "10.1.2.3"]);

  test.each([
    ["llm.example", "93.184.215.14"],
    ["llm.example", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
    ["llm.example", "::ffff:93.184.215.14"],
    ["llm.example", "64:ff9b::5db8:d70e"],
    // No base_url was given: the vendor's own host.
    ["api.openai.com", "162.159.140.245"],
    // A name that is private by nature was allowed as such.
    ["ollama", "172.18.0.5"],
    ["ollama", "127.0.0.1"],
    ["ollama", "fd12:3456::1"],
    // The address was allowed as such.
    ["vllm.corp.example", "10.1.2.3"],
  ])("%s to %s: yes", (host, address) => {
    expect(hosts.permits(host, address)).toBe(true);
  });

  test.each([
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "168.63.129.16",
    "100.100.100.200",
    "0.0.0.0",
    "192.0.0.1",
    "192.0.2.1",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.175.48.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.9",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "::7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b::1",
    "64:ff9b:1::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:2::1",
    "2001:db8::1",
    "2620:4f:8000::1",
    "3fff::1",
    "4000::1",
    "100::1",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "not an address",
    "",
  ])("a public name to %j: no", (address) => {
    expect(hosts.permits("llm.example", address)).toBe(false);
  });

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
