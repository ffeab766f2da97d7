import { expect, test } from "vitest";
import { findNetworkProblem, networkCheck } from "./allowed-networks.ts";

test.each([
  ["10.0.0.0/8", "10.255.0.1", true],
  ["10.0.0.0/8", "11.0.0.1", false],
  ["10.1.2.3/8", "10.9.9.9", true],
  ["192.0.2.7", "192.0.2.7", true],
  ["192.0.2.7", "192.0.2.8", false],
  ["192.0.2.0/24", "::ffff:192.0.2.9", true],
  ["192.0.2.0/24", "::FFFF:192.0.3.9", false],
  ["0.0.0.0/0", "203.0.113.9", true],
  ["0.0.0.0/0", "2001:db8::1", false],
  ["::/0", "2001:db8::1", true],
  ["::/0", "203.0.113.9", false],
  ["2001:db8:0:8::/61", "2001:db8:0:f::1", true],
  ["2001:db8:0:8::/61", "2001:db8:0:10::1", false],
  ["fe80::/10", "fe80::1%eth0", true],
  ["2001:db8::1", "2001:0DB8:0::0001", true],
  ["10.0.0.0/8", "", false],
  ["10.0.0.0/8", "unknown", false],
  ["10.0.0.0/8", "10.0.0.1:4711", false],
])("%s has %s: %s", (network, address, expected) => {
  expect(networkCheck([network])(address)).toBe(expected);
});

test("an address is in one of several networks, or in none of no networks", () => {
  const check = networkCheck(["10.0.0.0/8", "2001:db8::/32"]);
  expect([check("10.0.0.1"), check("2001:db8::9"), check("192.0.2.1")]).toEqual([true, true, false]);
  expect(networkCheck([])("10.0.0.1")).toBe(false);
});

test.each([
  ["203.0.113.0/24", undefined],
  ["203.0.113.7", undefined],
  ["2001:db8::/32", undefined],
  ["::/0", undefined],
  ["203.0.113.0/33", "0 to 32 bits"],
  ["2001:db8::/129", "0 to 128 bits"],
  ["203.0.113.0/", "0 to 32 bits"],
  ["203.0.113.0/08", "0 to 32 bits"],
  ["203.0.113.0/-1", "0 to 32 bits"],
  ["203.0.113.0/24/7", "must be a network"],
  ["203.0.113/24", "must be a network"],
  ["203.0.113.256", "must be a network"],
  ["example.org", "must be a network"],
  ["fe80::1%eth0/64", "must be a network"],
  ["::ffff:10.0.0.0/104", "without ::ffff:"],
  ["", "must be a network"],
])("%s as a network: %s", (text, problem) => {
  if (problem === undefined) expect(findNetworkProblem(text)).toBeUndefined();
  else expect(findNetworkProblem(text)).toContain(problem);
});
