import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPage } from "../support/docs/read-page.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT }).toSorted()];
/** On the command line, as JSON or in code: a name, and a model after it. */
const CREATED =
  /agents create --name (?<word>\w+)|\bname"?: ?"(?<text>[^"]+)",[^{}]*?\bmodel"?:|teams create --name (?<team>\w+)/g;

test("a reader who follows several pages in one workspace meets every name of an agent or team once", () => {
  const pagesByName = new Map<string, Set<string>>();
  for (const page of PAGES) {
    for (const name of readPage(join(ROOT, page)).flatMap(({ text }) => namesIn(text))) {
      pagesByName.set(name, (pagesByName.get(name) ?? new Set()).add(page));
    }
  }
  const shared = [...pagesByName].filter(([, pages]) => pages.size > 1);
  expect(pagesByName.size).toBeGreaterThan(20);
  expect(shared.map(([name, pages]) => `${name}: ${[...pages].join(", ")}`)).toEqual([]);
});

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(CREATED)].flatMap(
    ({ groups }) => groups?.["word"] ?? groups?.["text"] ?? groups?.["team"] ?? [],
  );
}
