import { expect, test } from "vitest";
import { createNoProxyRule } from "./no-proxy.ts";

test.each([
  ["", "http://example.org/", false],
  ["example.org", "http://example.org/", true],
  ["example.org", "https://api.example.org:8443/", true],
  ["example.org", "http://other-example.org/", false],
  [".example.org", "http://example.org/", true],
  ["*.example.org", "http://api.example.org/", true],
  ["*.example.org", "http://example.org/", false],
  ["EXAMPLE.org.", "http://example.ORG./", true],
  ["example.org:8080", "http://example.org:8080/", true],
  ["example.org:8080", "http://example.org/", false],
  ["example.org:443", "https://example.org/", true],
  ["example.org:80", "https://example.org/", false],
  ["a.example, b.example", "http://b.example/", true],
  ["a.example b.example", "http://a.example/", true],
  ["*", "http://anything.example/", true],
  ["a.example,*", "http://anything.example/", true],
  ["127.0.0.1", "http://127.0.0.1:4000/", true],
  ["127.0.0.1:4000", "http://127.0.0.1:4001/", false],
  ["10.0.0.0/8", "http://10.200.3.4/", true],
  ["10.0.0.0/8", "http://11.0.0.1/", false],
  ["10.0.0.0/8", "http://ten.example/", false],
  ["10.0.0.0/99", "http://10.0.0.1/", false],
  ["::1", "http://[::1]:4000/", true],
  ["[::1]:4000", "http://[::1]:4000/", true],
  ["[::1]:4000", "http://[::1]:4001/", false],
  ["fd00::/8", "http://[fd12::1]/", true],
  ["fd00::/8", "http://10.0.0.1/", false],
])("%j and %s: without a proxy is %s", (noProxy, url, expected) => {
  expect(createNoProxyRule(noProxy)(new URL(url))).toBe(expected);
});
