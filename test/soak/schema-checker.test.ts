import { expect, test } from "vitest";
import { createSchemaChecker } from "#lib/json-schema/schema-checker.ts";

const CATASTROPHIC = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
const ENDLESS = { a: `${"a".repeat(60)}!` };
const CITY = { type: "object", properties: { city: { type: "string", minLength: 2 } }, required: ["city"] };

test("an owner whose checks use up its CPU time waits, and then is rejected; others are not", async () => {
  const impatient = createSchemaChecker(5_000);
  const hostile = Promise.allSettled(
    Array.from({ length: 8 }, () => impatient.check("hostile", CATASTROPHIC, ENDLESS)),
  );
  const other = await impatient.check("other", CITY, { city: "Bonn" });
  expect(other).toEqual([]);
  const rejected = (await hostile).filter(({ status }) => status === "rejected");
  expect(rejected.length).toBeGreaterThan(3);
  for (const { reason } of rejected.filter((each) => each.status === "rejected")) {
    expect(reason).toMatchObject({ name: "SandboxLimitError", limit: "queue" });
  }
  await impatient.close();
});
