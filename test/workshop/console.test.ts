import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAst } from "vitest/node";
import { verifies } from "../support/verifies.ts";

const CONSOLE = join(import.meta.dirname, "../../console/src");
const FORBIDDEN_GLOBALS =
  /\b(?:dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function)/;
const STORAGE = /\b(?:localStorage|sessionStorage)\b/;

const files = globSync("**/*.{ts,tsx}", { cwd: CONSOLE }).filter((file) => !file.includes(".test."));
const sources = files.map((file) => ({ file, text: readFileSync(join(CONSOLE, file), "utf8") }));

interface Import {
  readonly file: string;
  readonly specifier: string;
  readonly isType: boolean;
}

const imports = sources.flatMap(({ file, text }) => importsOf(file, text));

verifies(
  "workshop.console-layer",
  "the console imports packages, its own files, the client, types of domain, and functions on text",
  () => {
    expect(imports.length).toBeGreaterThan(100);
    const others = imports.filter(({ specifier, isType }) => {
      if (/^#(?:lib\/text|client)\//.test(specifier)) return false;
      if (specifier.startsWith("#")) return !(isType && specifier.startsWith("#domain/"));
      return specifier.startsWith(".") && /(?:^|\/)(?:src|test|scripts)\//.test(specifier);
    });
    expect(others).toEqual([]);
  },
);

test("a file of the console that imports something of the service is found", () => {
  expect(importsOf("x.ts", `import { x } from "#domain/errors.ts";`)).toEqual([
    { file: "x.ts", specifier: "#domain/errors.ts", isType: false },
  ]);
  expect(importsOf("x.ts", `import type { X } from "#domain/errors.ts";`)[0]?.isType).toBe(true);
});

verifies("pages.no-html-strings", "no page of the console is created from HTML strings or evaluated code", () => {
  expect(sources.filter(({ text }) => FORBIDDEN_GLOBALS.test(text)).map(({ file }) => file)).toEqual([]);
});

test("what others wrote is in a Bdi, which shows direction controls; labels of a Combobox are one already", () => {
  const plain = sources.filter(({ text }) => text.includes("<bdi")).map(({ file }) => file);
  expect(plain.toSorted()).toEqual(["ui/bdi.tsx", "ui/combobox.tsx"]);
});

verifies("pages.token-not-stored", "the access token is kept in a variable: its code uses no browser storage", () => {
  const holders = sources.filter(({ text }) => text.includes("access_token"));
  expect(holders.length).toBeGreaterThan(0);
  expect(holders.filter(({ text }) => STORAGE.test(text)).map(({ file }) => file)).toEqual([]);
});

function importsOf(file: string, text: string): Import[] {
  const { body } = parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" });
  return body.flatMap((node) => {
    if (node.type !== "ImportDeclaration") return [];
    return [{ file, specifier: node.source.value, isType: node.importKind === "type" }];
  });
}
