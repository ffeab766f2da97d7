import { expect, test } from "vitest";
import { LANGUAGES, snippet } from "./snippets.ts";

const ORIGIN = "http://127.0.0.1:4400";
const POST = {
  title: "Give a task",
  method: "POST",
  path: "/functions/v1/api-tasks",
  body: { title: "It's due" },
  command: "tasks create --title Due",
} as const;

test("every language has the URL and reads the key from the environment", () => {
  for (const language of LANGUAGES) {
    const text = snippet(POST, language, ORIGIN);
    expect(text).toContain(ORIGIN);
    // The command line reads it without being told.
    if (language !== "CLI") expect(text).toContain("MUSTER_API_KEY");
  }
});

test("curl quotes a body with an apostrophe for the shell", () => {
  expect(snippet(POST, "curl", ORIGIN)).toContain(String.raw`-d '{"title":"It'\''s due"}'`);
});

test("a request without a command shows none", () => {
  expect(snippet({ title: "Read", method: "GET", path: "/x" }, "CLI", ORIGIN)).toBeUndefined();
  expect(snippet(POST, "CLI", ORIGIN)).toBe(`muster --url ${ORIGIN} tasks create --title Due`);
});
