import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { TAR_END, TarError, readTar, tarEntry } from "./tar.ts";
import type { TarEntry } from "./tar.ts";

const ENTRIES: readonly TarEntry[] = [
  { name: "tables/runs/1", content: Buffer.from("a\tb\n") },
  { name: "files/empty", content: Buffer.alloc(0) },
  { name: "files/block", content: Buffer.alloc(512, 7) },
  { name: "files/long", content: Buffer.from("x".repeat(100_000)) },
];
const ARCHIVE = Buffer.concat([...ENTRIES.flatMap((entry) => [...tarEntry(entry)]), TAR_END]);

async function readIn(size: number, bytes: Buffer): Promise<TarEntry[]> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const entries: TarEntry[] = [];
  for await (const entry of readTar(pieces())) entries.push(entry);
  return entries;
}

test.each([1, 511, 512, 65_536])(
  "an archive that arrives in pieces of %i bytes is read as it was written",
  async (size) => {
    expect(await readIn(size, ARCHIVE)).toEqual(ENTRIES);
  },
);

test("the system's tar reads it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "muster-tar-"));
  try {
    await writeFile(join(folder, "a.tar"), ARCHIVE);
    await promisify(execFile)("tar", ["-xf", "a.tar"], { cwd: folder });
    for (const { name, content } of ENTRIES) expect(await readFile(join(folder, name))).toEqual(content);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("an archive that was cut or changed is rejected", async () => {
  await expect(readIn(512, ARCHIVE.subarray(0, -2_000))).rejects.toThrow(TarError);
  const changed = Buffer.from(ARCHIVE);
  changed.write("tablez", 0);
  await expect(readIn(512, changed)).rejects.toThrow("damaged");
  expect(() => [...tarEntry({ name: "n".repeat(101), content: Buffer.alloc(0) })]).toThrow("too long");
});
