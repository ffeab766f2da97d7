import { expect, test } from "vitest";
import { fieldLines, tableLines } from "./table.ts";

const WHOLE = { width: undefined, paint: (_: string, text: string) => text };

test("columns are aligned, long cells cut, and no line ends with blanks", () => {
  const lines = tableLines(
    ["NAME", "N", "NOTE"],
    [
      ["x".repeat(100), "7", "a"],
      ["12b45", "1,234", ""],
    ],
    WHOLE,
  );
  expect(lines).toEqual([
    `NAME${" ".repeat(58)}N      NOTE`,
    `${"x".repeat(59)}…  7      a`,
    `12b45${" ".repeat(57)}1,234`,
  ]);
});

test("a cell cannot break the table or steer the terminal", () => {
  expect(tableLines(["A", "B"], [["one\ntwo", "\u001b[31mred\u009b2J"]], WHOLE)).toEqual([
    "A        B",
    "one two  [31mred2J",
  ]);
});

test("on a terminal ids are short, states coloured, and the widest columns cut until a row fits", () => {
  const rows = [["0194aaaa-0000-7000-8000-00001234abcd", "completed", "12", "日本語の長い題名".repeat(3)]];
  const [, row = ""] = tableLines(["ID", "STATUS", "TOKENS", "TITLE"], rows, {
    width: 48,
    paint: (style, text) => (style === "green" ? `<${text}>` : text),
  });
  expect(row).toBe("1234abcd  <completed>      12  日本語の長い題名日…");
});

test("on a narrow terminal columns without any value are left out before others are cut", () => {
  const columns = ["LABEL", "LAST USED", "ENDS"];
  const rows = [
    ["First API key", "", ""],
    ["First table API key", "yesterday", ""],
  ];
  expect(tableLines(columns, rows, { ...WHOLE, width: 30 })).toEqual([
    "LABEL                LAST USED",
    "First API key",
    "First table API key  yesterday",
  ]);
  expect(tableLines(columns, rows, { ...WHOLE, width: 36 })[0]).toBe("LABEL                LAST USED  ENDS");
});

test("fields without a value are left out", () => {
  expect(fieldLines({ id: "7", title: "T", error: null, result: "" })).toEqual(["id     7", "title  T"]);
});

const TASKS = [
  ["0194aaaa-0000-7000-8000-00001234abcd", "completed", "medium", "2026-01-31 14:05:09", "Write the newsletter"],
  ["0194aaaa-0000-7000-8000-00005678abcd", "waiting_for_input", "high", "2026-01-31 14:05:10", "Publish"],
];
const TASK_HEADINGS = ["ID", "STATUS", "PRIORITY", "CREATED", "TITLE"];

test("on a narrow terminal times lose their seconds, and texts alone are cut", () => {
  expect(tableLines(TASK_HEADINGS, TASKS, { ...WHOLE, width: 70 })).toEqual([
    "ID        STATUS             PRIORITY  CREATED           TITLE",
    "1234abcd  completed          medium    2026-01-31 14:05  Write the ne…",
    "5678abcd  waiting_for_input  high      2026-01-31 14:05  Publish",
  ]);
});

test("where no table fits, each row is a list of its fields", () => {
  expect(tableLines(TASK_HEADINGS, TASKS, { ...WHOLE, width: 40 })).toEqual([
    "ID        1234abcd",
    "STATUS    completed",
    "PRIORITY  medium",
    "CREATED   2026-01-31 14:05:09",
    "TITLE     Write the newsletter",
    "",
    "ID        5678abcd",
    "STATUS    waiting_for_input",
    "PRIORITY  high",
    "CREATED   2026-01-31 14:05:10",
    "TITLE     Publish",
  ]);
});

test("the name of a model is never cut", () => {
  const models = [["gemini-3.1-flash-lite-preview", "google and others"]];
  expect(tableLines(["MODEL", "PROVIDER"], models, { ...WHOLE, width: 42 })).toEqual([
    "MODEL                          PROVIDER",
    "gemini-3.1-flash-lite-preview  google and…",
  ]);
});

test("a table without rows has its headings, however narrow the terminal is", () => {
  expect(tableLines(["NAME", "DESCRIPTION"], [], { ...WHOLE, width: 10 })).toEqual(["NAME  DESCRIPTION"]);
});
