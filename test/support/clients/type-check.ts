import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");
/** Where packages are resolved as they are from the tests. */
const FOLDER = join(ROOT, ".runtime");

/** A value, and the member of the map of types that it must fit. */
export interface TypedValue {
  readonly member: string;
  readonly value: unknown;
}

/**
 * What the TypeScript compiler reports of values written as literals of their types, so that unknown properties are
 * errors too: one line for each wrong value, which begins with its member; empty when all fit.
 * @param map the exported interface whose members are the types, and the file that exports it
 */
export function typeErrors(
  map: { readonly file: string; readonly name: string },
  values: readonly TypedValue[],
): string[] {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, "type-check-"));
  try {
    writeFileSync(join(folder, "values.ts"), sourceOf(relative(folder, map.file), map.name, values));
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: join(ROOT, "tsconfig.json"), include: [], files: ["values.ts"] }),
    );
    const { status, stdout } = spawnSync(process.execPath, [COMPILER, "-p", folder, "--pretty", "false"], {
      encoding: "utf8",
    });
    const errors = stdout.split("\n").flatMap((line) => {
      const [, row, text] = /values\.ts\((\d+),\d+\): error (.*)$/.exec(line) ?? [];
      return row === undefined ? [] : [`${values[Number(row) - 2]?.member}: ${text}`];
    });
    if (status !== 0 && errors.length === 0) throw new Error(`The compiler failed: ${stdout.slice(0, 2_000)}`);
    return errors;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One value a line, after the import. */
function sourceOf(file: string, name: string, values: readonly TypedValue[]): string {
  const lines = values.map(
    ({ member, value }, index) =>
      `export const value${index}: ${name}[${JSON.stringify(member)}] = ${JSON.stringify(value)};`,
  );
  return [`import type { ${name} } from ${JSON.stringify(file)};`, ...lines, ""].join("\n");
}
