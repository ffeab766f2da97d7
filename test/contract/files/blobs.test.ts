import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/database.ts";
import { BlobMissingError } from "#lib/blobs/blob-store.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import { newId } from "#lib/ids.ts";
import { createLocalBlobs } from "#lib/blobs/local-blobs.ts";
import { createBlobSweeper, storeBlob } from "#operations/files/blobs.ts";
import { createDatabase } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { sql } from "../../support/workspace.ts";

const CONTENT = new TextEncoder().encode("a content");

let database: TestDatabase;
let db: Database;
let folder: string;
let blobs: BlobStore;
let key: string;

beforeAll(async () => {
  [database, folder] = await Promise.all([createDatabase(), mkdtemp(join(tmpdir(), "muster-blobs-"))]);
  db = openDatabase({ url: database.url, poolSize: 4, onIdleError: () => undefined });
  blobs = createLocalBlobs(folder);
  await run("create table holders (id uuid primary key, blob_key text not null)");
  await run("create trigger kept after insert on holders for each row execute function reference_blob()");
  await run("create trigger gone after delete on holders for each row execute function release_blob()");
});
afterAll(async () => {
  await db.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  key = `files/${newId()}`;
  await storeBlob({ db, blobs }, { key, content: CONTENT, mediaType: "text/plain" });
});

test("content is kept while its upload is in progress, and removed when no row references it", async () => {
  expect(await sweep()).toBe(0);
  await runOut();
  expect(await sweep()).toBe(1);
  await expect(blobs.get(key)).rejects.toThrow(BlobMissingError);
});

test("content is kept as long as a row references it, and removed after the row is deleted", async () => {
  await hold();
  await runOut();
  expect(await sweep()).toBe(0);
  expect(Buffer.from(await blobs.get(key)).toString()).toBe("a content");
  await run("delete from holders where blob_key = $1", [key]);
  expect(await sweep()).toBe(1);
  await expect(blobs.get(key)).rejects.toThrow(BlobMissingError);
});

test("no row can reference content that is being removed", async () => {
  await runOut();
  const stuck = createBlobSweeper({
    db,
    blobs: { ...blobs, delete: () => Promise.reject(new Error("the store is away")) },
    onError: () => undefined,
  });
  await expect(stuck.runOnce()).rejects.toThrow("the store is away");
  await expect(hold()).rejects.toThrow("not stored in time");
  await runOut();
  expect(await sweep()).toBe(1);
});

test("concurrent sweepers share the work", async () => {
  await runOut();
  const removed = await Promise.all([sweep(), sweep(), sweep()]);
  expect(removed.reduce((sum, each) => sum + each)).toBe(1);
});

function sweep(): Promise<number> {
  return createBlobSweeper({ db, blobs, onError: () => undefined }).runOnce();
}

async function hold(): Promise<void> {
  await run("insert into holders (id, blob_key) values ($1, $2)", [newId(), key]);
}

async function runOut(): Promise<void> {
  await run("update unreferenced_blobs set delete_after = now()");
}

async function run(text: string, values: readonly string[] = []): Promise<void> {
  await sql(database.url, text, values);
}
