import { tmpdir } from "node:os";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "#db/open-database.ts";
import { createJanitor } from "#engine/upkeep/janitor.ts";
import { createLocalBlobs } from "#lib/blobs/local-blobs.ts";
import { createBlobSweeper } from "#operations/files/blobs.ts";
import { pino } from "pino";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, refusal } from "../../support/api.ts";
import { startBucket } from "../../support/providers/bucket.ts";
import { eventually } from "../../support/eventually.ts";
import { askFiles, formWith, postFile, uploadTo } from "../../support/files.ts";
import type { TestFile } from "../../support/files.ts";
import { startTask, taskEnd } from "../../support/runs.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const NOTE: TestFile = { name: "note.txt", type: "text/plain", content: "Grüße" };

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

verifies("attachments.delete", "a file is deleted with its content", async () => {
  const { id, url } = await uploadTo(service, NOTE);
  expect((await askFiles(service, `/${id}`, "DELETE")).status).toBe(204);
  expect(refusal(await askFiles(service, `/${id}`)).status).toBe(404);
  expect(refusal(await askFiles(service, `/${id}`, "DELETE")).status).toBe(404);
  expect((await fetch(url)).status).toBe(404);
  await eventually("the content is gone", async () => !(await storedKeys(service)).includes(id));
});

verifies("attachments.storage.unused", "an unused upload is deleted after a day", async () => {
  const [old, young] = [await uploadTo(service, NOTE), await uploadTo(service, NOTE)];
  await sql(service.databaseUrl, "update files set created_at = now() - interval '25 hours' where id = $1", [old.id]);
  await withJanitor(service, async (janitor) => {
    await janitor.runOnce();
    const kept = await storedKeys(service);
    expect([kept.includes(old.id), kept.includes(young.id)]).toEqual([false, true]);
  });
  expect((await askFiles(service, `/${old.id}`)).status).toBe(404);
  expect((await askFiles(service, `/${young.id}`)).status).toBe(200);
});

verifies("attachments.storage.folder", "contents are files below the data folder", async () => {
  const { id } = await uploadTo(service, NOTE);
  expect(await storedKeys(service)).toContain(id);
});

verifies(
  "attachments.storage.s3",
  "with a bucket nothing stays in the data folder",
  async () => {
    const bucket = await startBucket();
    const other = await startService({
      env: {
        S3_BUCKET: bucket.bucket,
        S3_ENDPOINT: bucket.endpoint,
        S3_REGION: bucket.region,
        S3_ACCESS_KEY_ID: bucket.accessKeyId,
        S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
      },
    });
    try {
      const { id, url } = await uploadTo(other, NOTE);
      const inBucket = async () => (await readdir(bucket.folder, { recursive: true })).join("\n");
      expect(await inBucket()).toContain(id);
      expect(await storedKeys(other)).toEqual([]);
      expect(await (await fetch(url)).text()).toBe("Grüße");
      await askFiles(other, `/${id}`, "DELETE");
      // A folder that goes while it is read is read again.
      await eventually("the content is gone", () =>
        inBucket().then(
          (names) => !names.includes(id),
          () => false,
        ),
      );
    } finally {
      await other.stop();
      await bucket.close();
    }
  },
  { tags: "slow" },
);

verifies("attachments.storage.settings", "a bucket without a key is rejected at the start", async () => {
  await expect(startService({ env: { S3_BUCKET: "b" } })).rejects.toThrow(/S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY/);
  const url = startService({ env: { S3_BUCKET: "b", S3_ENDPOINT: "ftp://localhost" } });
  await expect(url).rejects.toThrow(/S3_ENDPOINT is an http or https URL/);
});

verifies(
  ["attachments.url.processes", "attachments.storage.missing"],
  "a process without the content reports the problem, and accepts the URL",
  async () => {
    const { url } = await uploadTo(service, NOTE);
    const { pathname, search } = new URL(url);
    const elsewhere = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys });
    try {
      const answer = await fetch(`${elsewhere.url}${pathname}${search}`);
      expect(answer.status).toBe(500);
      const text = await answer.text();
      expect(text).toContain("Machines that share a database must share the folder of their files");
      expect(text).not.toContain(tmpdir());
      expect(elsewhere.output().stderr).toContain("BlobMissingError");
    } finally {
      await elsewhere.stop();
    }
    const sharing = await startPeer({
      databaseUrl: service.databaseUrl,
      keys: service.keys,
      env: { MUSTER_DATA: service.folder },
    });
    try {
      expect(await (await fetch(`${sharing.url}${pathname}${search}`)).text()).toBe("Grüße");
    } finally {
      await sharing.stop();
    }
  },
  { tags: "slow" },
);

verifies("attachments.upload.setting", "an operator sets another limit", async () => {
  const small = await startService({ env: { MAX_FILE_BYTES: "10" } });
  try {
    expect((await uploadTo(small, { ...NOTE, content: "ten bytes." })).size).toBe(10);
    expect(refusal(await postFile(small, formWith({ ...NOTE, content: "eleven byte" }))).status).toBe(413);
  } finally {
    await small.stop();
  }
});

// Last, since no other upload has content after it.
verifies("attachments.missing", "a task whose file has no content fails with the reason", async () => {
  const file = await uploadTo(service, NOTE);
  const agent = await createAgent(apiOf(service, service.keys.api));
  await rm(`${service.folder}/files`, { recursive: true });
  const ended = await taskEnd(service, await startTask(service, agent.id, { attachments: [file.id] }));
  expect(ended).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/note\.txt cannot be read.*share the folder/),
  });
  expect(JSON.stringify(ended)).not.toContain(service.folder);
});

async function withJanitor(
  { databaseUrl, folder }: TestService,
  use: (janitor: ReturnType<typeof createJanitor>) => Promise<void>,
): Promise<void> {
  const db = openDatabase({ url: databaseUrl, poolSize: 2, onIdleError: () => undefined });
  const sweeper = createBlobSweeper({
    db,
    blobs: createLocalBlobs(join(folder, "files")),
    onError: (error) => expect.fail(String(error)),
  });
  const log = pino({ level: "silent" });
  await use(createJanitor({ db, sweeper, log, retentionDays: 30 })).finally(db.close);
}

async function storedKeys({ folder }: TestService): Promise<string[]> {
  const entries = await readdir(join(folder, "files"), { recursive: true }).catch(() => []);
  return entries.flatMap((path) => path.split("/").slice(-1)).filter((name) => /^[\da-f]{8}-.{27}$/.test(name));
}
