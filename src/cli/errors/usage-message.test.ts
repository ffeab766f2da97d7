import { expect, test } from "vitest";
import { usageMessage } from "./usage-message.ts";

test.each([
  [
    "error: option '--status <value>' argument 'waitng' is invalid. Allowed choices are pending, waiting.",
    '--status must be one of pending, waiting, not "waitng". Did you mean waiting?',
  ],
  [
    "error: command-argument value 'x' is invalid for argument 'shell'. Allowed choices are bash, fish.",
    '<shell> must be one of bash, fish, not "x".',
  ],
  [
    "error: option '--title <text>' argument '--watch' is invalid. It needs a value, and --watch is an option.",
    "--title: It needs a value, and --watch is an option.",
  ],
  ["error: unknown option '--x'\n(Did you mean --y?)", "Unknown option '--x'. Did you mean --y?"],
])("%s", (message, shown) => {
  expect(usageMessage(message)).toBe(shown);
});
