import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFolder } from "./create-folder.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "muster-folder-"));
});
afterAll(() => rm(root, { recursive: true }));

test("a folder is created with those above it, once", () => {
  const folder = join(root, "a", "b", "c");
  expect(createFolder(folder, 0o700)).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(createFolder(folder, 0o700)).toBe(false);
});

test("a file at the path of a folder or of its parent is an error", async () => {
  const file = join(root, "file");
  await writeFile(file, "");
  expect(() => createFolder(file, 0o700)).toThrow("EEXIST");
  expect(() => createFolder(join(file, "below"), 0o700)).toThrow("ENOTDIR");
});

test.runIf(existsSync("/proc/self"))("where the system creates nothing, it ends with an error", () => {
  expect(() => createFolder("/proc/muster", 0o700)).toThrow("ENOENT");
  expect(() => createFolder("/proc/muster/below", 0o700)).toThrow("ENOENT");
});
