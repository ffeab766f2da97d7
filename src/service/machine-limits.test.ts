import { expect } from "vitest";
import { verifies } from "../../test/support/verifies.ts";
import { memoryWarning } from "./machine-limits.ts";

const MIB = 1024 ** 2;

verifies("operations.start.memory", "a warning names a limit of less than 512 MiB, and no other", () => {
  expect(memoryWarning(256 * MIB)).toMatch(/^This process may use 256 MiB of memory, and Muster needs 512 MiB\./);
  expect([0, 512 * MIB, 2 ** 63].map(memoryWarning)).toEqual([undefined, undefined, undefined]);
});
