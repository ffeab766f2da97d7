import { expect, test } from "vitest";
import { formatCsv } from "./csv.ts";

test("a table has a line of names, and cells that need it are quoted", () => {
  const rows = [
    ["plain", 1.5, null],
    ['a "quoted", b', -2, "two\nlines"],
  ];
  expect(formatCsv(["x", "y", "z"], rows)).toBe('x,y,z\r\nplain,1.5,\r\n"a ""quoted"", b",-2,"two\nlines"\r\n');
});

test("a text that begins like a formula is escaped for spreadsheets; numbers stay unchanged", () => {
  expect(
    formatCsv(
      ["name", "sum"],
      [
        ["=1+1", -2],
        ["@x", 0],
        ["a=b", null],
      ],
    ),
  ).toBe("name,sum\r\n'=1+1,-2\r\n'@x,0\r\na=b,\r\n");
});
