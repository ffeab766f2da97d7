import { expect, test } from "vitest";
import { fieldLines, tableLines } from "./table.ts";

test("columns are aligned, long cells cut, and no line ends with blanks", () => {
  const lines = tableLines(
    ["ID", "NAME"],
    [
      ["1", "x".repeat(100)],
      ["12345", ""],
    ],
  );
  expect(lines).toEqual([`ID     NAME`, `1      ${"x".repeat(59)}…`, "12345"]);
});

test("a cell cannot break the table or steer the terminal", () => {
  expect(tableLines(["A", "B"], [["one\ntwo", "\u001b[31mred\u009b2J"]])).toEqual(["A        B", "one two  [31mred2J"]);
});

test("fields without a value are left out", () => {
  expect(fieldLines({ id: "7", title: "T", error: null, result: "" })).toEqual(["id     7", "title  T"]);
});
