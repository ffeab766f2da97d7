import { expect, test } from "vitest";
import { body, heading } from "./block.ts";
import { chunkBlocks } from "./chunk-blocks.ts";

const contents = (...texts: string[]) => chunkBlocks(texts.map((text) => body(text))).map(({ content }) => content);
const sentences = (count: number) => Array.from({ length: count }, (_, n) => `This is sentence number ${n}.`).join(" ");

test("short paragraphs share a passage; a long document has several, none too long", () => {
  expect(contents("One.", "Two.")).toEqual(["One.\n\nTwo."]);
  const many = contents(...Array.from({ length: 60 }, (_, n) => `Paragraph ${n}. ${sentences(3)}`));
  expect(many.length).toBeGreaterThan(5);
  for (const content of many) expect(content.length).toBeLessThan(1_200);
});

test("neighbours overlap by whole sentences, and nothing is lost", () => {
  const passages = contents(sentences(120));
  for (const [index, passage] of passages.entries()) {
    const next = passages[index + 1];
    if (next === undefined) continue;
    const [first] = next.split("\n\n");
    expect(first).toMatch(/^This is sentence/);
    expect(passage.endsWith(first ?? "")).toBe(true);
  }
  const all = passages.join(" ");
  for (let n = 0; n < 120; n++) expect(all).toContain(`sentence number ${n}.`);
});

test("paragraphs that are too long for a passage fill theirs", () => {
  const passages = contents(...Array.from({ length: 20 }, () => sentences(40)));
  for (const passage of passages.slice(0, -1)) expect(passage.length).toBeGreaterThan(600);
});

test("a heading begins a passage and is repeated in its section, but not in the next", () => {
  const long = Array.from({ length: 12 }, () => body(sentences(4)));
  const passages = chunkBlocks([body("Before."), heading("First"), ...long, heading("Second"), body("Last.")]);
  expect(passages[0]).toEqual({ heading: null, content: "Before.", page: null });
  expect(new Set(passages.slice(1, -1).map((passage) => passage.heading))).toEqual(new Set(["First"]));
  expect(passages.at(-1)).toEqual({ heading: "Second", content: "Last.", page: null });
});

test("a heading over nothing is kept", () => {
  expect(chunkBlocks([heading("Empty"), heading("Full"), body("x")]).map(({ content }) => content)).toEqual([
    "Empty",
    "x",
  ]);
});

test("text without borders is cut, but no character in two", () => {
  const passages = contents("😀".repeat(2_000));
  expect(passages.length).toBeGreaterThan(3);
  for (const passage of passages) expect(passage.isWellFormed()).toBe(true);
});

test("a passage says on which page it begins", () => {
  const pages = Array.from({ length: 6 }, (_, n) => body(sentences(15), n + 1));
  const begins = chunkBlocks(pages).map(({ page }) => page);
  expect(begins[0]).toBe(1);
  expect(begins.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(begins);
  expect(new Set(begins).size).toBeGreaterThan(2);
});

test("characters that cannot be stored or shown are removed", () => {
  expect(contents("a\u0007b\ud800c")).toEqual(["a b\ufffdc"]);
});
