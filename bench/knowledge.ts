/**
 * Reading documents, and searching 100,000 passages, by words and hybrid without pgvector.
 * Run it by itself: `node bench/knowledge.ts [passages]`.
 */
import { createServer } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { z } from "zod";
import { openDatabase } from "#db/open-database.ts";
import { rankByMeaning } from "#db/queries/knowledge/passages.ts";
import { newId } from "#lib/ids.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import type { Stage } from "./lib/stage.ts";

const PASSAGES = 100_000;
const DIMENSIONS = 512;
const SEARCHES = 200;
const WARM_UP = 20;
/** As many of a question's nearest vectors are looked for in {@link KnowledgeRound.recall}. */
const NEAREST = 10;
const MIB = 1024 * 1024;
const DOCUMENT_BYTES = 4 * MIB;
/** Words of the made-up language; how often one comes follows the law of Zipf and Mandelbrot, without the stop words. */
const VOCABULARY = 50_000;
const STOP_WORDS = 100;
const WORDS_PER_PASSAGE = 140;

/** What was measured: MiB per second, and milliseconds. */
export interface KnowledgeRound {
  readonly passages: number;
  readonly ingestMibPerSecond: number;
  readonly words: readonly number[];
  readonly hybrid: readonly number[];
  /** The share of the ten nearest vectors that a search by meaning finds. */
  readonly recall: number;
}

interface Filled {
  readonly ids: string[];
  readonly vectors: Float32Array[];
}

const asked = z.object({ input: z.array(z.string()) });
const status = z.looseObject({ status: z.string(), passages: z.number(), error: z.string().nullable() });

/** A provider whose vectors are the random projections of a text's words: near texts have near vectors. */
async function startEmbeddings() {
  const server = createServer(async (incoming, response) => {
    const { input } = asked.parse(JSON.parse(await text(incoming)));
    const data = input.map((each, index) => ({ object: "embedding", index, embedding: vectorOf(each) }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ object: "list", data, model: "m", usage: { prompt_tokens: 1, total_tokens: 1 } }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The provider has no port.");
  return { url: `http://127.0.0.1:${address.port}/v1`, close: () => server.close() };
}

/** Fills a base with made-up passages and searches it. */
export async function measureKnowledge(stage: Stage, passages = PASSAGES): Promise<KnowledgeRound> {
  const random = seeded(1);
  const plain = (await stage.call("POST", "/console/api/knowledge/bases", { name: "Read", embedding_model: "none" }))
    .id;
  const ingestMibPerSecond = await measureIngest(stage, plain, random);
  const base = (await stage.call("POST", "/console/api/knowledge/bases", { name: "Large" })).id;
  const filled = await fill(stage, { base, passages, random });
  const questions = Array.from({ length: WARM_UP + SEARCHES }, () => words(random, 7));
  const hybrid = await measureSearches(stage, base, questions);
  const recall = await measureRecall(stage, base, { filled, questions: questions.slice(0, WARM_UP) });
  const client = await connected(stage);
  await client.query("truncate passage_embeddings");
  await client.end();
  return { passages, ingestMibPerSecond, words: await measureSearches(stage, base, questions), hybrid, recall };
}

async function measureIngest(stage: Stage, base: string, random: () => number): Promise<number> {
  let content = "";
  while (content.length < DOCUMENT_BYTES) content += `${words(random, WORDS_PER_PASSAGE)}\n\n`;
  const begun = performance.now();
  const added = { knowledge_base_id: base, name: "Large", text: content };
  const { id } = await stage.call("POST", "/console/api/knowledge/documents", added);
  for (;;) {
    const response = await fetch(`${stage.url}/console/api/knowledge/documents/${id}`, { headers: headers(stage) });
    const now = status.parse(await response.json());
    if (now.status === "failed") throw new Error(now.error ?? "");
    if (now.status === "ready") break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return content.length / MIB / ((performance.now() - begun) / 1_000);
}

const FILL = `
  with stored as (
    insert into passages (id, workspace_id, scope, document_id, position, content)
    select t.id, d.workspace_id, d.knowledge_base_id, d.id, t.position, t.content
    from knowledge_documents d, unnest($2::integer[], $3::text[], $5::uuid[]) as t (position, content, id) where d.id = $1
    returning id, workspace_id, scope, position
  )
  insert into passage_embeddings (passage_id, workspace_id, scope, space, embedding)
  select s.id, s.workspace_id, s.scope, 'openai/text-embedding-3-small/${DIMENSIONS}', v.vector::real[]
  from stored s join unnest($2::integer[], $4::text[]) as v (position, vector) using (position)`;

async function fill(
  stage: Stage,
  { base, passages, random }: { readonly base: string; readonly passages: number; readonly random: () => number },
): Promise<Filled> {
  const client = await connected(stage);
  const document = newId();
  const filled: Filled = { ids: [], vectors: [] };
  await client.query("insert into unreferenced_blobs (key, delete_after) values ($1, 'infinity')", [
    `knowledge/${document}`,
  ]);
  await client.query(
    `insert into knowledge_documents (id, workspace_id, knowledge_base_id, name, format, media_type, size, blob_key, status)
     select $1, workspace_id, id, 'Filled', 'text', 'text/plain', 1, $2, 'ready' from knowledge_bases where id = $3`,
    [document, `knowledge/${document}`, base],
  );
  const batch = 500;
  for (let first = 0; first < passages; first += batch) {
    const contents = Array.from({ length: Math.min(batch, passages - first) }, () => words(random, WORDS_PER_PASSAGE));
    const ids = contents.map(() => newId());
    const vectors = contents.map(vectorOf);
    filled.ids.push(...ids);
    filled.vectors.push(...vectors.map((vector) => Float32Array.from(vector)));
    await client.query(FILL, [
      document,
      contents.map((_, index) => first + index),
      contents,
      vectors.map((vector) => `{${vector.map((value) => value.toFixed(5)).join(",")}}`),
      ids,
    ]);
  }
  await client.query("vacuum analyze passages");
  await client.query("vacuum analyze passage_embeddings");
  await client.end();
  return filled;
}

async function measureRecall(
  stage: Stage,
  base: string,
  { filled, questions }: { readonly filled: Filled; readonly questions: readonly string[] },
): Promise<number> {
  const db = openDatabase({ url: stage.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  const client = await connected(stage);
  const { rows } = await client.query("select workspace_id from knowledge_bases where id = $1", [base]);
  await client.end();
  let found = 0;
  for (const question of questions) {
    const vector = vectorOf(question);
    const products = filled.vectors.map((other) =>
      other.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0),
    );
    const nearest = [...products.keys()].toSorted((a, b) => (products[b] ?? 0) - (products[a] ?? 0)).slice(0, NEAREST);
    const asked = { space: `openai/text-embedding-3-small/${DIMENSIONS}`, vector, scopes: [base], most: NEAREST };
    const ranked = await rankByMeaning(
      db,
      { workspaceId: z.string().parse(rows[0]?.workspace_id), role: "viewer" },
      asked,
    );
    found += nearest.filter((at) => ranked.includes(filled.ids[at] ?? "")).length;
  }
  await db.close();
  return found / questions.length / NEAREST;
}

async function measureSearches(stage: Stage, base: string, questions: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const [index, q] of questions.entries()) {
    const query = new URLSearchParams({ q, knowledge_base_ids: base, limit: "5" }).toString();
    const begun = performance.now();
    const response = await fetch(`${stage.url}/console/api/knowledge/search?${query}`, { headers: headers(stage) });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    await response.text();
    if (index >= WARM_UP) times.push(performance.now() - begun);
  }
  return times;
}

function headers({ apiKey }: Stage) {
  return { "X-API-Key": apiKey };
}

async function connected({ databaseUrl }: Stage): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
}

function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => `word${rank(random).toString(36)}`).join(" ");
}

function rank(random: () => number): number {
  const all = VOCABULARY + STOP_WORDS;
  return Math.floor(STOP_WORDS * (all / STOP_WORDS) ** random()) - STOP_WORDS;
}

const directions = new Map<string, Float32Array>();

/** One direction per word; common words have a lower weight. */
function vectorOf(content: string): number[] {
  const sum = new Float32Array(DIMENSIONS);
  for (const word of content.split(/\s+/)) {
    const rank = Number.parseInt(word.replace("word", ""), 36) || 1;
    const weight = Math.log(1 + rank);
    let direction = directions.get(word);
    if (direction === undefined) {
      const random = seeded(rank + 1);
      direction = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
      directions.set(word, direction);
    }
    for (let at = 0; at < DIMENSIONS; at++) sum[at] = (sum[at] ?? 0) + weight * (direction[at] ?? 0);
  }
  const norm = Math.hypot(...sum);
  return Array.from(sum, (value) => value / norm);
}

/** Random numbers that are the same each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The lines for results.md. */
export function knowledgeLines({ passages, ingestMibPerSecond, words: plain, hybrid, recall }: KnowledgeRound): string {
  const line = (times: readonly number[]) =>
    `${percentile(times, 50).toFixed(1)} / ${percentile(times, 99).toFixed(1)}`;
  return (
    `Knowledge: a text read at ${ingestMibPerSecond.toFixed(2)} MiB/s; search in ${passages} passages, ms p50 / p99:\n` +
    `by words ${line(plain)}; hybrid without pgvector ${line(hybrid)}; of the 10 nearest vectors it finds ${recall.toFixed(2)}\n`
  );
}

/** Runs it on its own stage, with a provider of vectors. */
export async function runKnowledge(passages?: number): Promise<void> {
  const provider = await startEmbeddings();
  const stage = await openStage({
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: provider.url,
    EMBEDDING_MODEL: "openai/text-embedding-3-small",
    MAX_BODY_BYTES: String(8 * MIB),
  });
  try {
    console.log(knowledgeLines(await measureKnowledge(stage, passages)));
  } finally {
    await stage.close();
    provider.close();
  }
}

if (import.meta.filename === process.argv[1]) await runKnowledge(Number(process.argv[2] ?? PASSAGES));
