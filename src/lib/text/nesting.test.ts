import { expect, test } from "vitest";
import { isMarkupDeeperThan } from "./nesting.ts";

test.each([
  ["<div>".repeat(5), 4, true],
  ["<div>".repeat(5), 5, false],
  ["<DIV class='a'>".repeat(5), 4, true],
  ["<div></div>".repeat(50), 1, false],
  ["<p>One<p>Two<br><li>Three<td>Four<img src=a>".repeat(50), 1, false],
  ["<svg><path d='x' /><path /></svg>".repeat(50), 1, false],
  ["</i>".repeat(50) + "<b><i>".repeat(5), 9, true],
  ["a < b and b > c, <".repeat(50), 1, false],
] as const)("%j is deeper than %i: %s", (html, levels, expected) => {
  expect(isMarkupDeeperThan(levels, html)).toBe(expected);
});
