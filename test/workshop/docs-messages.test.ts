import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { verifies } from "../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = read("docs/troubleshooting.md");
const WARNING = /\b(?:log|logger)\.(?:warn|error)\(|(?<![.\w])warn\(/g;
const LITERAL = /"([^"\n]+)"|`([^`\n]+)`/g;
/** What varies in a message: `${…}` in the code, `…` on the page. */
const VARIES = /\$\{[^}]*\}|…/;
/** Shorter parts of a message are found anywhere. */
const MIN_PART = 8;

const sources = globSync("src/**/*.ts", { cwd: ROOT })
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => read(file));

verifies(
  "docs.troubleshooting",
  "every warning and error of the log is explained, and every explained one exists",
  () => {
    const logged = new Set(sources.flatMap(messagesIn));
    expect(logged.size).toBeGreaterThan(25);
    const unexplained = [...logged].filter((message) => !partsOf(message).every((part) => PAGE.includes(part)));
    expect(unexplained).toEqual([]);

    const code = sources.join("\n");
    const explained = [...PAGE.matchAll(/^\| `([^`]+)`/gm)].flatMap(([, message = ""]) => partsOf(message));
    expect(explained.length).toBeGreaterThan(50);
    expect(explained.filter((part) => part.length >= MIN_PART && !code.includes(part))).toEqual([]);
  },
);

/** The texts of a file's calls that log a warning or an error; a name or a path has no space. */
function messagesIn(source: string): string[] {
  return [...source.matchAll(WARNING)].flatMap((match) => {
    const call = untilClosed(source.slice(match.index + match[0].length));
    return [...call.matchAll(LITERAL)].flatMap(([, plain, template]) => {
      const text = plain ?? template ?? "";
      return text.includes(" ") ? [text] : [];
    });
  });
}

function untilClosed(text: string): string {
  let depth = 1;
  for (const { 0: bracket, index } of text.matchAll(/[()]/g)) {
    depth += bracket === "(" ? 1 : -1;
    if (depth === 0) return text.slice(0, index);
  }
  return text;
}

function partsOf(message: string): string[] {
  return message
    .split(VARIES)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
