import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
/** docs/glossary.md names them; schema.sql repeats what other files say. */
const EXEMPT = new Set(["docs/glossary.md", "src/db/gen/schema.sql"]);

/** What has a standard term, with that term. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\bbroken off\b/i, "aborted, cancelled, interrupted"],
  [/\btaken for dead\b/i, "presumed dead"],
  [/\banew\b/i, "again, re-…"],
  [/\bunder way\b/i, "in progress"],
  [/\bfor ever\b/i, "indefinitely"],
  [/\bagain and again\b/i, "repeatedly"],
  [/\bstrays\b/i, "orphaned jobs"],
  [/\bwalled\b|\b(?:the|past|behind) (?:the )?wall\b/i, "tenant isolation, row-level security"],
  [/\bside by side\b/i, "concurrently"],
  [/\b(?:by|in) turns\b/i, "alternating"],
  [/\bpatien(?:ce|tly)\b/i, "timeout, retries"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix, repair, correct"],
  [/\bstands? in for\b|\bstands (?:in|under|behind)\b/i, "is, means, replaces"],
  [/\blest\b/i, "so that … not"],
  [/\bgoes on (?:behind|with|from)\b/i, "continues"],
  [/\bdearest\b/i, "most expensive"],
  [/\breckoned\b/i, "estimated"],
  [/\bwithout end\b/i, "endless, many times"],
  [/\bis refused with\b/i, "returns"],
  [/\bcome to rest\b/i, "stopped, ended"],
  [/\bnetworks? of one's own\b/i, "private network"],
  [/\bthere was no turn in time\b/i, "timed out waiting for …"],
  [/\bnot forgotten yet\b/i, "still kept"],
  [/\bis said to be\b/i, "is declared as"],
  [/\bnothing is offered\b/i, "no … listed"],
  [/\bholds characters that\b/i, "contains characters …"],
  [/\bis no time zone of\b/i, "unknown time zone"],
  [/\bsees? to it\b/i, "ensures"],
  [/\bis at it\b/i, "is in progress"],
  [/\bhas it that\b/i, "requires"],
  [/\bno longer on record\b/i, "no longer stored"],
  [/\bone too many\b/i, "exceeds the maximum"],
  [/\bcomes? to nothing\b/i, "is ignored"],
  [/\bwhat (?:it|they) (?:is|are) about\b/i, "the subject, the fields"],
  [/\bwhat people find\b/i, "the display name"],
  [/\bsmall letters\b/i, "lower case"],
  [/\bstray[_ ]|\bdoomed\b/i, "unreferenced, orphaned"],
  [/\bsettle(?:s|d)?[_ ](?:the |a )?reservations?\b/i, "charge"],
  [/\bthe server's words\b/i, "the server's message"],
  [/\bwhat the address of\b/i, "the search parameters"],
];
const NAMES = /\b(?:MOST|LONGEST|USUAL|LEAST|SHORTEST|KEPT)_[A-Z_]+\b/;

const MAX_NAME = 100;
/** A test, the requirements that it proves where it does, and its name in quotes. */
const TEST_NAME = /\b(?:test|verifies)\(\s*(?:(?:"[\w.-]+"|\[[^\]]*\]),\s*)?(["`])([^"`\n]+)\1/g;

const files = [
  ...globSync("{src,docs,console/src,clients}/**/*.{ts,tsx,sql,md,py}", { cwd: ROOT }),
  ...globSync("*.md", { cwd: ROOT }),
].filter((file) => !EXEMPT.has(file));

const lines = files.flatMap((file) =>
  readFileSync(join(ROOT, file), "utf8")
    .split("\n")
    .map((line, index) => ({ place: `${file}:${index + 1}`, line })),
);

/** The places of a pattern, as `file:line`. */
function placesOf(pattern: RegExp): string[] {
  return lines.flatMap(({ place, line }) => (pattern.test(line) ? [place] : []));
}

test("prose and messages use the terms of docs/glossary.md", () => {
  expect(files.length).toBeGreaterThan(500);
  const found = BANNED.flatMap(([phrase, instead]) =>
    placesOf(phrase).map((place) => `${place} has ${phrase.source}: write ${instead}`),
  );
  expect(found).toEqual([]);
});

test("constants are called MAX_, MIN_ and DEFAULT_", () => {
  expect(placesOf(NAMES)).toEqual([]);
});

test(`the name of a test has at most ${MAX_NAME} characters`, () => {
  const sources = globSync("{src,test,console/src}/**/*.test.ts", { cwd: ROOT }).filter(
    (file) => !file.includes("node_modules"),
  );
  const names = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(TEST_NAME)].map(([, , name = ""]) => ({ file, name })),
  );
  expect(names.length).toBeGreaterThan(1_500);
  expect(names.filter(({ name }) => name.length > MAX_NAME)).toEqual([]);
});
