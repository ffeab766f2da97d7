import { readFileSync } from "node:fs";
import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { CONSTRAINTS, constraintOf, explainRejection } from "./constraints.ts";

const SCHEMA = readFileSync(new URL("gen/schema.sql", import.meta.url), "utf8");
/** A trigger of several tables puts the table before it. */
const RAISED = "_output_route_ids_fkey";

test.each([...CONSTRAINTS.keys()])("the schema has %s", (name) => {
  expect(SCHEMA).toMatch(new RegExp(`\\b${name}\\b|'${name.endsWith(RAISED) ? RAISED : name}'`));
});

test("a violated constraint becomes an error for the caller, which still tells the constraint", () => {
  const violation = Object.assign(new DatabaseError("violates", 0, "error"), {
    code: "23503",
    constraint: "runs_agent_fkey",
  });
  const explained = explainRejection(violation);
  expect(explained).toMatchObject({ code: "not_found", message: "Agent not found", cause: violation });
  expect(constraintOf(explained)).toBe("runs_agent_fkey");
});

test("other errors remain as they are", () => {
  const taken = Object.assign(new DatabaseError("duplicate", 0, "error"), { code: "23505", constraint: "runs_pkey" });
  for (const error of [taken, new Error("other")]) expect(explainRejection(error)).toBe(error);
});
