import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Visitor, parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const CONSOLE = join(import.meta.dirname, "../../console/src");
const MAX_LINES = 60;
const MAX_CLASSES = 100;
/** What only a class has: one of these is in every long one. */
const CLASS =
  /(?:^| )(?:flex|inline-flex|grid|block|bar|row|edged|option|place|absolute|relative|fixed|sticky|rounded-\S+|border|w-full|h-\d\S*)(?: |$)/;
/** What no class has: the end of a phrase. */
const WORDS = /[.?!,] /;

/** What of a file is too long. */
interface Long {
  readonly components: readonly string[];
  readonly classes: readonly string[];
}

const files = globSync("**/*.{ts,tsx}", { cwd: CONSOLE }).filter((file) => !file.includes(".test."));
const long = files.map((file) => longIn(file, readFileSync(join(CONSOLE, file), "utf8")));

test("a component has at most 60 lines", () => {
  expect(files.length).toBeGreaterThan(500);
  expect(long.flatMap(({ components }) => components)).toEqual([]);
});

test("a string of classes has less than 100 characters", () => {
  expect(long.flatMap(({ classes }) => classes)).toEqual([]);
});

test("a long component and a long string of classes are found", () => {
  const component = `function Page() {${"\n".repeat(MAX_LINES)}}\nfunction page() {${"\n".repeat(MAX_LINES)}}`;
  const look = `flex ${"gap-4 ".repeat(20)}`;
  const strings = `const LOOK = "${look}"; const WORDS = "${"word ".repeat(30)}";`;
  expect(longIn("x.tsx", `${component}\n${strings}`)).toEqual({
    components: ["x.tsx Page"],
    classes: [`x.tsx ${look}`],
  });
});

function longIn(file: string, text: string): Long {
  const components: string[] = [];
  const classes: string[] = [];
  const look = (value: unknown) => {
    if (typeof value !== "string" || value.length < MAX_CLASSES || !CLASS.test(value) || WORDS.test(value)) return;
    classes.push(`${file} ${value}`);
  };
  const visitor = new Visitor({
    FunctionDeclaration({ id, start, end }) {
      if (id === null || !/^[A-Z]/.test(id.name) || !file.endsWith(".tsx")) return;
      if (text.slice(start, end).split("\n").length > MAX_LINES) components.push(`${file} ${id.name}`);
    },
    Literal: ({ value }) => look(value),
    TemplateElement: ({ value }) => look(value.cooked),
  });
  visitor.visit(parseSync(file, text).program);
  return { components, classes };
}
