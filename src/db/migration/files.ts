import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { SchemaError } from "./schema-error.ts";

/** The migrations of this program. */
export const FOLDER = join(import.meta.dirname, "../migrations");

/** The first migration; every schema that can be upgraded has it. */
export const FIRST_MIGRATION = "0001-first-version.sql";

/**
 * How a migration is applied, as its first line says:
 *
 * - `whole`: in one transaction, without such a line;
 * - `concurrently` (`-- muster: concurrently`): statements that build or drop indexes while others write;
 * - `batches` (`-- muster: batches`): one statement that changes a part of the rows, repeated until it changes none.
 */
export type Manner = "whole" | "concurrently" | "batches";

/** A file of the folder. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly manner: Manner;
  readonly sql: string;
  readonly checksum: string;
}

/** Reads the migrations of a folder, in their order. @throws SchemaError when two have the same number */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), "utf8");
      const version = Number.parseInt(name, 10);
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { version, name, manner: mannerOf(name, sql), sql, checksum };
    }),
  );
  const twice = migrations.find(({ version }, index) => version === migrations[index - 1]?.version);
  if (twice !== undefined) throw new SchemaError(`Migration ${twice.name} has the number of another one.`);
  return migrations;
}

/** The schema version of this program. */
export async function latestVersion(): Promise<number> {
  return (await readMigrations(FOLDER)).at(-1)?.version ?? 0;
}

function mannerOf(name: string, sql: string): Manner {
  const said = /^-- muster: (.*)/.exec(sql)?.[1]?.trim();
  if (said === undefined) return "whole";
  if (said === "concurrently" || said === "batches") return said;
  throw new SchemaError(`Migration ${name}: "-- muster: ${said}" is unknown; it can be concurrently or batches.`);
}
