import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const COMMANDS = ["serve", "init", "whoami", "agents", "tasks", "providers"];

test.each([
  ["taks", "tasks"],
  ["agent", "agents"],
  ["prov", "providers"],
  ["sevre", "serve"],
])("%s is close to %s", (word, meant) => {
  expect(nearest(word, COMMANDS)).toBe(meant);
});

test.each(["", "deploy", "x"])("nothing is close to '%s'", (word) => {
  expect(nearest(word, COMMANDS)).toBeUndefined();
});
