import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import { makeBudget, budgetWindow } from "../../support/budgets.ts";
import { startEmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import type { EmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import { eventually } from "../../support/eventually.ts";
import { addText, createBase, documentRead, readDocument } from "../../support/knowledge.ts";
import { runningOn } from "../../support/running-on.ts";
import { createDatabase, createKeys, startPeer, startProcess } from "../../support/service.ts";
import type { StartOptions, TestDatabase, TestProcess, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const MINUTES = 240_000;
const SECTIONS = 200;
/** As many passages as sections: a heading begins a new one. */
const LONG = Array.from(
  { length: SECTIONS },
  (_, n) => `## Section ${n}\n\nThis is what section number ${n} says.\n`,
).join("\n");

const keys = createKeys();
let database: TestDatabase;
let provider: EmbeddingProvider;
let folder: string;
const running = new Set<TestService>();

beforeAll(async () => {
  [database, provider, folder] = await Promise.all([
    createDatabase(),
    startEmbeddingProvider(),
    mkdtemp(join(tmpdir(), "muster-knowledge-")),
  ]);
});
afterAll(async () => {
  for (const service of running) await service.stop();
  await provider.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function options(): StartOptions {
  const env = { MUSTER_DATA: folder, OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${provider.url}/v1` };
  return { databaseUrl: database.url, keys, env };
}

async function kept<Service extends TestService>(starting: Promise<Service>): Promise<Service> {
  const service = await starting;
  running.add(service);
  return service;
}

async function kill(service: TestProcess): Promise<void> {
  running.delete(service);
  await service.kill();
}

/** The places of a document's passages, and those that have vectors. */
async function stored(documentId: string) {
  const rows = await sql<{ position: number; embedded: boolean }>(
    database.url,
    `select p.position, e.passage_id is not null as embedded from passages p
     left join passage_embeddings e on e.passage_id = p.id where p.document_id = $1 order by p.position`,
    [documentId],
  );
  return { positions: rows.map(({ position }) => position), embedded: rows.filter((row) => row.embedded).length };
}

verifies(
  ["knowledge.ingest.crash", "usage.record.embeddings", "budgets.crash"],
  "a document whose process is killed while it is read and embedded is whole, and paid for once",
  async () => {
    const first = await kept(startProcess(options()));
    const baseId = await createBase(consoleOf(first, keys.api));
    const budget = await makeBudget(consoleOf(first, keys.api), { scope: "workspace", max_tokens: 1_000_000 });
    provider.holdFrom(3);
    const { id } = await addText(consoleOf(first, keys.api), baseId, { text: LONG, format: "markdown" });
    await eventually("it is being read", async () => {
      return (await readDocument(consoleOf(first, keys.api), id)).status === "processing";
    });
    await kill(first);

    const second = await kept(startProcess(options()));
    await eventually("the third batch is with the provider", () => provider.seen.length >= 3, MINUTES / 4);
    const before = await stored(id);
    expect(before).toEqual({ positions: Array.from({ length: SECTIONS }, (_, n) => n), embedded: 128 });
    await kill(second);

    provider.holdFrom(Infinity);
    const service = await kept(startPeer(options()));
    const document = await documentRead(consoleOf(service, keys.api), id);
    expect(document).toMatchObject({ status: "ready", warning: null, passages: SECTIONS, attempt: 1 });
    expect(await stored(id)).toEqual({ positions: before.positions, embedded: SECTIONS });
    expect(provider.embedded).toHaveLength(SECTIONS);
    expect(new Set(provider.embedded).size).toBe(SECTIONS);
    // 64 passages at a time. The third call had no answer when its process died, and counts as what it may have cost.
    const records = "select interrupted from usage_records where task_id is null and agent_id is null order by 1";
    const [answered, lostCall] = [{ interrupted: false }, { interrupted: true }];
    expect(await sql(database.url, records)).toEqual([answered, answered, answered, answered, lostCall]);
    const lost = Math.ceil(Buffer.byteLength(provider.embedded.slice(128, 192).join("")) / 2);
    const standing = await budgetWindow(consoleOf(service, keys.api), budget.id);
    expect(standing).toMatchObject({ used_tokens: 4 * 7 + lost, reserved_tokens: 0 });
  },
  MINUTES,
);

verifies(
  ["knowledge.ingest.two-processes", "knowledge.ingest.handed-over"],
  "two processes share the waiting documents, read each once, and hand theirs over when they stop",
  async () => {
    const services = [await kept(startProcess(options())), await kept(startProcess(options()))];
    const [first, second] = services.map((service) => consoleOf(service, keys.api));
    if (first === undefined || second === undefined) throw new Error("There are two services.");
    const baseId = await createBase(first, { name: "Shared" });
    const before = provider.embedded.length;
    const texts = Array.from({ length: 6 }, (_, n) => `Document ${n} is about subject ${n}.`);
    const made = await Promise.all(
      texts.map((text, n) => addText(n % 2 === 0 ? first : second, baseId, { name: `D${n}`, text })),
    );
    for (const { id } of made) {
      expect(await documentRead(second, id)).toMatchObject({ status: "ready", passages: 1, attempt: 1 });
    }
    expect(provider.embedded.slice(before).toSorted()).toEqual(texts);

    const calls = provider.seen.length;
    provider.holdFrom(calls + 1);
    const { id } = await addText(first, baseId, { name: "Handed over", text: "Of processes that are restarted." });
    await eventually("it is with the provider", () => provider.seen.length > calls);
    provider.holdFrom(Infinity);
    // Processes have died during it before: another one that died of it would be the last. A handover is no death.
    await sql(database.url, "update jobs set crash_count = 2, suspicion = 4 where subject_id = $1", [id]);
    const pid = (await runningOn(database.url)).get(id);
    const [owner, heir] = services.toSorted((one) => (one.process.pid === pid ? -1 : 1));
    if (owner === undefined || heir === undefined) throw new Error("There are two services.");
    await owner.stop();
    expect(await documentRead(consoleOf(heir, keys.api), id)).toMatchObject({ status: "ready", error: null });
    for (const service of services) {
      running.delete(service);
      await service.stop();
    }
  },
  MINUTES,
);
