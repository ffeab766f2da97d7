import { expect, test } from "vitest";
import { checkArguments } from "./check-arguments.ts";
import { UsageError } from "../errors/cli-error.ts";

const ARGS = {
  id: { type: "positional" },
  title: { type: "string" },
  priority: { type: "enum", options: ["low", "high"] },
  watch: { type: "boolean" },
} as const;

const check = (...argv: string[]) => checkArguments({ ...ARGS, priority: { type: "enum" } }, argv);

test.each([
  [["x", "--title", "a b", "--watch"]],
  [["--title=--watch", "x"]],
  [["--title", "-"]],
  [["--title", "- a list"]],
  [["--", "--x"]],
])("%j is allowed", (argv) => {
  expect(() => check(...argv)).not.toThrow();
});

test.each([
  [
    ["--titel", "x"],
    "Unknown option --titel. Did you mean --title?\nKnown options: --title, --priority, --watch, --help",
  ],
  [["-x"], "Unknown option -x."],
  [["--no-watch"], "Unknown option --no-watch."],
  [["--title"], "--title needs a value"],
  [["--title", "--watch"], "--title needs a value"],
  [["--watch=yes"], "--watch takes no value"],
  [["a", "b"], 'Unexpected argument "b"'],
])("%j is rejected with the reason", (argv, reason) => {
  expect(() => check(...argv)).toThrow(UsageError);
  expect(() => check(...argv)).toThrow(reason);
});
