import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimedIds } from "../support/database/claimed-ids.ts";
import { verifies } from "../support/verifies.ts";
import { requirements } from "./requirements/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const TEST_FILES = ["src/**/*.test.ts", "test/**/*.test.ts"];

const claims = globSync(TEST_FILES, { cwd: ROOT }).map((file) => ({
  file,
  ...claimedIds(readFileSync(join(ROOT, file), "utf8")),
}));
const claimed = new Set(claims.flatMap((claim) => claim.ids));
const all = [...requirements.entries()];

test("there are requirements, test files and claims to compare", () => {
  expect(all.length).toBeGreaterThan(0);
  expect(claims.length).toBeGreaterThan(0);
  expect(claimed.size).toBeGreaterThan(0);
});

verifies("workshop.manifest", "every requirement is proved by a test or marked open", () => {
  const unproved = all.filter(([id, { open }]) => open === undefined && !claimed.has(id));
  expectNone(
    "No test proves these requirements",
    unproved.map(([id]) => id),
  );
});

test("a requirement that a test proves is not marked open", () => {
  const stale = all.filter(([id, { open }]) => open !== undefined && claimed.has(id));
  expectNone(
    "These are proved: remove their open mark",
    stale.map(([id]) => id),
  );
});

test("every id that a test names is a requirement", () => {
  expectNone(
    "These ids are not in the manifest",
    [...claimed].filter((id) => !requirements.has(id)),
  );
});

test("the ids of every verifies() call can be read from the source", () => {
  const places = claims.flatMap(({ file, unreadableLines }) => unreadableLines.map((line) => `${file}:${line}`));
  expectNone("Write the ids as string literals in these calls", places);
});

test("every id reads as area.topic.fact in lower case", () => {
  const odd = all.map(([id]) => id).filter((id) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(id));
  expectNone("These ids are not in kebab-case parts", odd);
});

test("the state of the manifest is printed in one line", () => {
  const proved = all.filter(([id]) => claimed.has(id)).length;
  const open = all.filter(([, requirement]) => requirement.open !== undefined).length;
  console.info(`${all.length} requirements, ${proved} proved, ${open} open`);
});

/** Fails with the names one per line, so that the message can be worked through. */
function expectNone(heading: string, names: readonly string[]): void {
  if (names.length > 0) expect.fail([`${heading} (${names.length}):`, ...names].join("\n"));
}
