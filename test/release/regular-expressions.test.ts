import { globSync, readFileSync } from "node:fs";
import { Visitor, parseSync } from "oxc-parser";
import { check } from "recheck";
import { expect, test } from "vitest";

/** What the service, the console and the clients run. */
const SOURCES = ["src/**/*.ts", "console/src/**/*.{ts,tsx,js}", "clients/typescript/src/**/*.ts"];
/** For all of them, on a machine that has other work. */
const TIMEOUT_MS = 300_000;
/** Most are proved in milliseconds; for those with assertions the checker searches for an attack this long. */
const CHECK_MS = 5_000;

test("no regular expression of the source takes more than linear time", { timeout: TIMEOUT_MS }, async () => {
  const expressions = [...readExpressions()];
  expect(expressions.length).toBeGreaterThan(100);
  const found = [];
  for (const { pattern, flags, file } of expressions) {
    const result = await check(pattern, flags, { timeout: CHECK_MS });
    if (result.status === "vulnerable") found.push(`${file}: /${pattern}/${flags} is ${result.complexity.summary}`);
  }
  expect(found).toEqual([]);
});

interface Expression {
  readonly pattern: string;
  readonly flags: string;
  readonly file: string;
}

/** Each expression once, with one file that has it. */
function readExpressions(): Iterable<Expression> {
  const found = new Map<string, Expression>();
  for (const file of globSync(SOURCES, { exclude: (path) => path.includes(".test.") })) {
    const visitor = new Visitor({
      Literal(node) {
        if (!("regex" in node)) return;
        const { pattern, flags } = node.regex;
        found.set(`/${pattern}/${flags}`, { pattern, flags, file });
      },
    });
    visitor.visit(parseSync(file, readFileSync(file, "utf8")).program);
  }
  return found.values();
}
