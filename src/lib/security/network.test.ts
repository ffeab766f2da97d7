import { expect, test } from "vitest";
import { isLoopback, networkOf } from "./network.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["10.0.0.1", false],
  ["::ffff:10.0.0.1", false],
  ["", false],
  ["localhost", false],
])("%s is loopback: %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});
