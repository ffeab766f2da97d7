import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { parseExactly } from "../text/exact-json.ts";
import { UnusableSchemaError } from "./unusable-schema-error.ts";
import { createSchemaChecker } from "./schema-checker.ts";
import type { SchemaChecker } from "./schema-checker.ts";

const CATASTROPHIC = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
const ENDLESS = { a: `${"a".repeat(60)}!` };
const CITY = { type: "object", properties: { city: { type: "string", minLength: 2 } }, required: ["city"] };

vi.setConfig({ testTimeout: 60_000 });

let checker: SchemaChecker;
beforeEach(() => void (checker = createSchemaChecker()));
afterEach(() => checker.close());

test("values are checked, and unusable schemas are distinguished from invalid values", async () => {
  expect(await checker.check("w", CITY, { city: "Bonn" })).toEqual([]);
  expect(await checker.check("w", CITY, {})).toMatchObject([{ path: "" }]);
  await checker.assertUsable("w", CITY);
  await expect(checker.assertUsable("w", { type: "nothing" })).rejects.toThrow(UnusableSchemaError);
  await expect(checker.check("w", { $ref: "https://elsewhere.example/" }, {})).rejects.toThrow(UnusableSchemaError);
});

test("integers that a number cannot hold are checked as numbers", async () => {
  const { schema, value } = z
    .object({ schema: z.record(z.string(), z.unknown()), value: z.unknown() })
    .parse(parseExactly('{"schema":{"type":"integer","minimum":9007199254740993},"value":9007199254740995}'));
  await checker.assertUsable("w", schema);
  expect(await checker.check("w", schema, value)).toEqual([]);
});

test("a pattern that takes indefinitely is an issue, and does not delay the next check", { tags: "slow" }, async () => {
  const [endless, next] = await Promise.all([
    checker.check("w", CATASTROPHIC, ENDLESS),
    checker.check("w", CATASTROPHIC, { a: "aaa" }),
  ]);
  expect(endless).toEqual([{ path: "", message: expect.stringMatching(/takes too long/) }]);
  expect(next).toEqual([]);
});

test("a schema that multiplies itself is rejected as too slow", { tags: "slow" }, async () => {
  const steps = Array.from({ length: 40 }, (_, step) => [
    `s${step}`,
    { allOf: [{ $ref: `#/$defs/s${step + 1}` }, { $ref: `#/$defs/s${step + 1}` }] },
  ]);
  const schema = { $ref: "#/$defs/s0", $defs: { ...Object.fromEntries(steps), s40: { type: "object" } } };
  expect(await checker.check("w", schema, {})).toEqual([{ path: "", message: expect.stringMatching(/too/) }]);
});

test("a value that is nested too deeply to be checked is an issue", async () => {
  const depth = 100_000;
  const deep: unknown = JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
  expect(await checker.check("w", { type: "array" }, deep)).toEqual([
    { path: "", message: expect.stringMatching(/nested too deeply/) },
  ]);
});

test(
  "while a check runs, this thread continues, and other owners' checks come before the next",
  { tags: "slow" },
  async () => {
    await checker.check("other", CITY, { city: "Bonn" });
    const done: string[] = [];
    const hostile = [1, 2].map((number) =>
      checker.check("hostile", CATASTROPHIC, ENDLESS).then(() => done.push(`hostile ${number}`)),
    );
    let turns = 0;
    while (done.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
      if (turns === 10) void checker.check("other", CITY, { city: "Bonn" }).then(() => done.push("other"));
    }
    expect(turns).toBeGreaterThan(1_000);
    await Promise.all(hostile);
    expect(done).toEqual(["hostile 1", "other", "hostile 2"]);
  },
);
