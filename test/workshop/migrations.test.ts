import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const DB = join(import.meta.dirname, "../../src/db");
const DEFINES = /^\s*create(?: or replace)? (function|view|trigger) ([\w.]+)(?:[^;]*? on (\w+))?/gim;

/**
 * The functions, views and triggers (with their tables) that a file creates. A migration may drop one whose columns
 * change their types: its file, which changes with it, creates it again.
 */
function definedIn(file: string): string[] {
  return [...readFileSync(join(DB, file), "utf8").matchAll(DEFINES)].map(([, kind = "", name = "", table]) =>
    kind.toLowerCase() === "trigger" ? `trigger ${name} on ${table}` : `${kind.toLowerCase()} ${name}`,
  );
}

test("what a file of src/db/routines defines is changed there, and by no migration", () => {
  const routines = new Set(globSync("routines/*.sql", { cwd: DB }).flatMap(definedIn));
  expect(routines.size).toBeGreaterThan(100);
  const later = globSync("migrations/*.sql", { cwd: DB });
  const redefined = later.flatMap((file) =>
    definedIn(file)
      .filter((name) => routines.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(redefined, "routines are applied after all migrations: edit the file in src/db/routines").toEqual([]);
});

test("each function, view and trigger is defined once, so that a file can be applied again", () => {
  const all = globSync("routines/*.sql", { cwd: DB }).flatMap(definedIn);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
