import { expect, test } from "vitest";
import { wrapProse } from "./wrap.ts";

test("prose is broken between words, and keeps its indentation", () => {
  expect(wrapProse("one two three four five six", 20)).toBe("one two three four\nfive six");
  expect(wrapProse("  one two three four five six\nseven", 20)).toBe("  one two three four\n  five six\nseven");
});

test("a command to copy stays on one line", () => {
  const command = "muster tasks watch 01a2060b-9778-7ff1-a7f6-b6db911ad402 --json";
  expect(wrapProse(`Watch it again: ${command}`, 40)).toBe(`Watch it again:\n${command}`);
  expect(wrapProse('The key was rejected. Run "muster login", or set MUSTER_API_KEY.', 30)).toBe(
    'The key was rejected. Run\n"muster login", or set\nMUSTER_API_KEY.',
  );
});

test("an id stays beside the word for what it identifies", () => {
  const id = "01a2060b-9778-7ff1-a7f6-b6db911ad402";
  expect(wrapProse(`completed · 118 tokens in · 2.4 s · task ${id}`, 60)).toBe(
    `completed · 118 tokens in · 2.4 s ·\ntask ${id}`,
  );
});

test("what fits stays as it is, and so does everything on a very narrow terminal", () => {
  expect(wrapProse("a  b\n\nc", 80)).toBe("a  b\n\nc");
  expect(wrapProse("one two three", 5)).toBe("one two three");
});
