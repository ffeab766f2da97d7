import { globSync, readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { POSTGRES_MAJOR } from "#db/embedded/cluster-location.ts";
import { verifies } from "../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../..");
const FIXTURES = join(ROOT, "test/fixtures/upgrade");
/** The major version of the embedded PostgreSQL of each release, oldest first. A release adds its own. */
const MAJORS: Readonly<Record<string, number>> = { "0.1.0": 18 };

const migration = z.object({ name: z.string() });

/** The migrations of a release, by the database that was recorded of it. */
function migrationsOf(release: string): readonly string[] {
  const rows = readFileSync(join(FIXTURES, release, "rows.jsonl"), "utf8").matchAll(/^schema_migrations (\{.*\})$/gm);
  return [...rows].map(([, json = ""]) => migration.parse(JSON.parse(json)).name);
}

/** The migrations that this version may not have, because a backup of the release before must fit. */
function forbidden(major: number, migrations: readonly string[]): readonly string[] {
  const release = Object.keys(MAJORS).at(-1) ?? "";
  if (major === MAJORS[release]) return [];
  const known = migrationsOf(release);
  return migrations.filter((name) => !known.includes(name));
}

verifies(
  "workshop.postgres-major",
  "a version that brings another major version of PostgreSQL has no migration of its own",
  () => {
    expect(Object.keys(MAJORS), "each recorded release has its major version here").toEqual(readdirSync(FIXTURES));
    const migrations = globSync("src/db/migrations/*.sql", { cwd: ROOT }).map((file) => basename(file));
    expect(forbidden(POSTGRES_MAJOR, migrations)).toEqual([]);

    const released = migrationsOf("0.1.0");
    expect(released).toContain("0001-first-version.sql");
    expect(forbidden(POSTGRES_MAJOR + 1, [...released, "9999-later.sql"])).toEqual(["9999-later.sql"]);
    expect(forbidden(POSTGRES_MAJOR + 1, released)).toEqual([]);
  },
);
