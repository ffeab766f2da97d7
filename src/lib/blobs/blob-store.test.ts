import { mkdtemp, readdir, rm, stat, utimes, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBucket } from "../../../test/support/providers/bucket.ts";
import type { TestBucket } from "../../../test/support/providers/bucket.ts";
import { BlobMissingError, BlobStoreError } from "./blob-store.ts";
import type { BlobStore } from "./blob-store.ts";
import { createLocalBlobs } from "./local-blobs.ts";
import { createS3Blobs } from "./s3-blobs.ts";

const BYTES = Uint8Array.from({ length: 300_000 }, (_, n) => n % 251);

let folder: string;
let bucket: TestBucket;
beforeAll(async () => {
  [folder, bucket] = await Promise.all([mkdtemp(join(tmpdir(), "muster-blobs-")), startBucket()]);
});
afterAll(async () => {
  await bucket.close();
  await rm(folder, { recursive: true, force: true });
});

const STORES: readonly (readonly [string, () => BlobStore])[] = [
  ["a folder", () => createLocalBlobs(join(folder, "store"))],
  ["a bucket", () => createS3Blobs(bucket)],
];

test("a folder and its files can be read by this user only", async () => {
  const root = join(folder, "private");
  await createLocalBlobs(root).put("files/a/one", BYTES, "text/plain");
  const modes = await Promise.all(["", "files", "files/a", "files/a/one"].map((path) => stat(join(root, path))));
  expect(modes.map(({ mode }) => mode & 0o077)).toEqual([0, 0, 0, 0]);
});

describe.each(STORES)("%s", (_, open) => {
  test("returns stored content, whole and as a stream", async () => {
    const store = open();
    await store.put("files/a/one", BYTES, "application/octet-stream");
    expect(Buffer.compare(await store.get("files/a/one"), BYTES)).toBe(0);
    const streamed = await new Response(await store.stream("files/a/one")).bytes();
    expect(Buffer.compare(streamed, BYTES)).toBe(0);
  });

  test("replaces content, and stores empty content", async () => {
    const store = open();
    await store.put("files/a/two", BYTES, "text/plain");
    await store.put("files/a/two", new Uint8Array(), "text/plain");
    expect(await store.get("files/a/two")).toHaveLength(0);
  });

  test("reports missing content, and deletes it without an error", async () => {
    const store = open();
    await store.put("files/a/three", BYTES, "text/plain");
    await store.delete("files/a/three");
    await store.delete("files/a/three");
    await expect(store.get("files/a/three")).rejects.toThrow(BlobMissingError);
    await expect(store.stream("files/never/there")).rejects.toThrow(BlobMissingError);
  });

  test.each(["../out", "a/../../b", "/etc/passwd", "a//b", "a/", ".hidden", "a b", "a%2e%2e", ""])(
    "rejects the key %j",
    async (key) => {
      await expect(open().put(key, BYTES, "text/plain")).rejects.toThrow(TypeError);
      await expect(open().get(key)).rejects.toThrow(TypeError);
    },
  );
});

test("a folder leaves no drafts, and removes those of dead processes", async () => {
  const root = join(folder, "swept");
  const drafts = join(root, ".drafts");
  await mkdir(drafts, { recursive: true });
  await writeFile(join(drafts, "old"), "half");
  await utimes(join(drafts, "old"), 0, 0);
  await writeFile(join(drafts, "young"), "being written");
  await createLocalBlobs(root).put("k", BYTES, "text/plain");
  expect(await readdir(drafts)).toEqual(["young"]);
});

test("the error for a folder that is not writable contains its path", async () => {
  const file = join(folder, "a-file");
  await writeFile(file, "");
  await expect(createLocalBlobs(join(file, "below")).put("k", BYTES, "text/plain")).rejects.toThrow(/a-file/);
});

test("the error of a bucket says why it rejects, and contains no secret", async () => {
  const wrong = createS3Blobs({ ...bucket, secretAccessKey: "not-the-secret" });
  const refused = await wrong.put("k", BYTES, "text/plain").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BlobStoreError);
  expect(String(refused)).toMatch(/403.*SignatureDoesNotMatch/s);
  expect(String(refused)).not.toContain("not-the-secret");
  const nowhere = createS3Blobs({ ...bucket, bucket: "no-such-bucket" });
  await expect(nowhere.get("k")).rejects.toThrow(/NoSuchBucket/);
  await expect(nowhere.get("k")).rejects.not.toThrow(BlobMissingError);
  const away = createS3Blobs({ ...bucket, endpoint: "http://127.0.0.1:1" });
  await expect(away.get("k")).rejects.toThrow("cannot be reached at http://127.0.0.1:1");
});
