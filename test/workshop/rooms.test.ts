import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { importsOf } from "../support/checks/imports.ts";
import { FLOORS } from "../support/checks/rooms.ts";
import { verifies } from "../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../..");

for (const { folder, rooms, known } of FLOORS) {
  const files = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }).filter((file) => !/\.test\.tsx?$/.test(file));
  /** The folder of a file, or the file itself beside the folders; undefined for a file of another layer. */
  const roomOf = (file: string) =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split("/")[0] : undefined;

  verifies("workshop.rooms", `the list of the rooms of ${folder} has each of them once`, () => {
    expect([...rooms].sort()).toEqual([...new Set(files.flatMap((file) => roomOf(file) ?? []))].sort());
  });

  verifies("workshop.rooms", `no room of ${folder} imports a room above it, but those known to`, () => {
    const above = files.flatMap((file) => {
      const from = roomOf(file) ?? "";
      const targets = importedBy(file).flatMap((target) => roomOf(target) ?? []);
      return targets.filter((to) => rooms.indexOf(to) > rooms.indexOf(from)).map((to) => `${from} -> ${to}`);
    });
    expect([...new Set(above)].sort()).toEqual([...known].sort());
  });
}

/** The files that a file imports by their paths, which is how a layer imports its own files. */
function importedBy(file: string): string[] {
  return importsOf(file, readFileSync(join(ROOT, file), "utf8")).flatMap(({ to = [], specifier }) =>
    specifier.startsWith(".") ? to : [],
  );
}
