import { expect, test } from "vitest";
import { MAX_OUTPUTS, findOutputFiles } from "./output-files.ts";

const block = (info: string, text = "a\n", fence = "```") => `${fence}${info}\n${text}${fence}\n`;

test.each([
  ["csv report.csv", "report.csv", "text/csv"],
  ["csv  report.csv  ", "report.csv", "text/csv"],
  ["md:notes.md", "notes.md", "text/markdown"],
  ['json title="my data.json"', "my data.json", "application/json"],
  ["json title=data.json {1,2}", "data.json", "application/json"],
  ["ts filename='src/main.ts'", "main.ts", "text/plain"],
  ["python src/app/main.py", "main.py", "text/plain"],
  ["text ../../etc/passwd.txt", "passwd.txt", "text/plain"],
  ["svg chart.svg", "chart.svg", "text/plain"],
  ["text picture.png", "picture.png", "text/plain"],
])("the block %j is the file %s", (info, name, type) => {
  expect(findOutputFiles(`Here it is:\n\n${block(info)}\nDone.`)).toEqual([{ name, type, text: "a\n" }]);
});

test.each(["", "csv", "js", "c++", "report.csv", "python main", "js {1,3}", "sh setup.bat", "text ..", "text .env"])(
  "the block %j has no file name",
  (info) => {
    expect(findOutputFiles(block(info))).toEqual([]);
  },
);

test("an empty or unclosed block is not a file", () => {
  expect(findOutputFiles(block("txt a.txt", ""))).toEqual([]);
  expect(findOutputFiles("```txt a.txt\nthe beginning")).toEqual([]);
});

test("a longer fence contains shorter ones, and tildes contain backticks", () => {
  const inner = block("txt inner.txt");
  expect(findOutputFiles(block("md outer.md", inner, "````"))).toMatchObject([{ name: "outer.md", text: inner }]);
  expect(findOutputFiles(block("md outer.md", inner, "~~~"))).toMatchObject([{ name: "outer.md", text: inner }]);
});

test("the fence's indentation is removed from the lines, and Windows' line ends are read", () => {
  expect(findOutputFiles("1. This:\r\n   ```txt a.txt\r\n   one\r\n     two\r\n   ```\r\n")).toMatchObject([
    { text: "one\n  two\n" },
  ]);
});

test("repeated names are numbered, and the number of files is limited", () => {
  const three = block("txt a.txt") + block("txt A.txt") + block("txt a.txt");
  expect(findOutputFiles(three).map(({ name }) => name)).toEqual(["a.txt", "A-2.txt", "a-3.txt"]);
  expect(findOutputFiles(block("txt a.txt").repeat(MAX_OUTPUTS + 5))).toHaveLength(MAX_OUTPUTS);
});

test("a result with very many blocks is read", () => {
  expect(findOutputFiles(block("js").repeat(30_000) + block("txt a.txt"))).toHaveLength(1);
});

test.each(["\r", "\u2028", "\u2029"])("a line with many blanks and a lone %j takes linear time", (separator) => {
  const begun = performance.now();
  expect(findOutputFiles(`\`\`\`${" ".repeat(100_000)}${separator}${" ".repeat(100_000)}x`)).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
