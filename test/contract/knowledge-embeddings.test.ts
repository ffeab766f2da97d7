import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf, send } from "../support/api.ts";
import type { Api } from "../support/api.ts";
import { startEmbeddingVendor } from "../support/embedding-vendor.ts";
import type { EmbeddingVendor } from "../support/embedding-vendor.ts";
import { HANDBOOK, QUESTIONS } from "../support/garden-questions.ts";
import { addText, createBase, documentRead, search } from "../support/knowledge.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { addWorkspace } from "../support/workspace.ts";

const MINUTES = 180_000;
const KEY = "sk-test-embeddings";

let vendor: EmbeddingVendor;
let service: TestService;
let api: Api;

beforeAll(async () => {
  vendor = await startEmbeddingVendor();
  service = await startService({
    env: {
      OPENAI_BASE_URL: `${vendor.url}/v1`,
      GOOGLE_BASE_URL: `${vendor.url}/v1beta`,
      ALLOW_PRIVATE_URLS: "true",
      MODEL_ATTEMPTS: "1",
    },
  });
  api = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await vendor.close();
});

/** A workspace of its own that has stored this connection to a vendor. */
async function workspaceWith(provider: string, connection: object): Promise<Api> {
  const { key } = await addWorkspace(service.databaseUrl);
  const saved = await send("PUT", `${service.url}/console/api/provider-keys/${provider}`, {
    headers: { "x-api-key": key },
    body: connection,
  });
  expect(saved.status).toBe(200);
  return consoleOf(service, key);
}

async function handbookIn(of: Api, base: object = {}) {
  const baseId = await createBase(of, base);
  const { id } = await addText(of, baseId, { name: "Handbook", text: HANDBOOK, format: "markdown" });
  return { baseId, document: await documentRead(of, id) };
}

/** The share of the questions whose passage is among the first five. */
async function recallAt5(of: Api): Promise<number> {
  let found = 0;
  for (const { question, heading } of QUESTIONS) {
    const { results } = await search(of, question, { limit: "5" });
    if (results.some((result) => result.heading === heading)) found += 1;
  }
  return found / QUESTIONS.length;
}

verifies(
  "knowledge.search.recall",
  "the right passage is among the first five, with words alone and hybrid",
  async () => {
    const { document } = await handbookIn(api);
    expect(document).toMatchObject({ status: "ready", passages: QUESTIONS.length, embeddings: null });
    const words = await recallAt5(api);
    const withKey = await workspaceWith("openai", { api_key: KEY });
    const hybrid = await handbookIn(withKey);
    expect(hybrid.document.embeddings).toBe("openai/text-embedding-3-small/512");
    const both = await recallAt5(withKey);
    console.log(
      `recall@5 of ${QUESTIONS.length} questions: words ${words.toFixed(2)}, hybrid ${both.toFixed(2)} (hashed trigrams)`,
    );
    expect(words).toBeGreaterThanOrEqual(0.9);
    expect(both).toBeGreaterThanOrEqual(0.9);
  },
  MINUTES,
);

const vendors = [
  {
    provider: "openai",
    connection: { api_key: KEY },
    base: {},
    space: "openai/text-embedding-3-small/512",
    path: "/v1/embeddings",
  },
  {
    provider: "google",
    connection: { api_key: KEY },
    base: {},
    space: "google/gemini-embedding-001/384",
    path: "/v1beta/models/gemini-embedding-001:",
  },
  {
    provider: "openai-compatible",
    connection: {},
    base: { embedding_model: "openai-compatible/nomic/embed" },
    space: "openai-compatible/nomic/embed/384",
    path: "/compatible/embeddings",
  },
] as const;

for (const { provider, connection, base, space, path } of vendors) {
  verifies(
    "knowledge.search.hybrid",
    `with a connection to ${provider} a question is found by what is near to it`,
    async () => {
      const own = provider === "openai-compatible" ? { base_url: `${vendor.url}/compatible` } : connection;
      const of = await workspaceWith(provider, own);
      const baseId = await createBase(of, base);
      const texts = ["Gardeners prune in spring.", "Fishermen mend nets in winter."];
      const made = await Promise.all(texts.map((text) => addText(of, baseId, { name: text, text })));
      for (const { id } of made)
        expect(await documentRead(of, id)).toMatchObject({ status: "ready", embeddings: space });
      // No word of it is in the texts, but parts of words are.
      const { mode, results } = await search(of, "gardenerless pruneable");
      expect(mode).toBe("hybrid");
      expect(results[0]).toMatchObject({ content: texts[0] });
      expect(vendor.seen.some((request) => request.path.startsWith(path))).toBe(true);
    },
    MINUTES,
  );
}

verifies(
  "knowledge.search.without-vendor",
  "when the vendor is away, documents are ready with a warning and found by their words",
  async () => {
    const of = await workspaceWith("openai", { api_key: KEY });
    const { document, baseId } = await handbookIn(of);
    expect(document.warning).toBeNull();
    vendor.fail(401);
    try {
      const { id } = await addText(of, baseId, { name: "Later", text: "Tulips are planted in October." });
      const later = await documentRead(of, id);
      expect(later).toMatchObject({
        status: "ready",
        embeddings: null,
        warning: expect.stringMatching(/No embeddings today/),
      });
      const { mode, results } = await search(of, "tulips in October");
      expect({ mode, name: results[0]?.document.name }).toEqual({ mode: "words", name: "Later" });
      vendor.fail(undefined);
      await of.post(`/knowledge/documents/${id}/reprocess`, "");
      expect(await documentRead(of, id)).toMatchObject({
        warning: null,
        embeddings: "openai/text-embedding-3-small/512",
      });
      expect((await search(of, "tulips in October")).mode).toBe("hybrid");
    } finally {
      vendor.fail(undefined);
    }
  },
  MINUTES,
);

verifies(
  "knowledge.search.hybrid",
  "a base that is set to none is not embedded, and no key leaves the service in an answer",
  async () => {
    const of = await workspaceWith("openai", { api_key: KEY });
    const before = vendor.embedded.length;
    const { document } = await handbookIn(of, { embedding_model: "none" });
    expect(document).toMatchObject({ status: "ready", embeddings: null, warning: null });
    expect(vendor.embedded.length).toBe(before);
    expect(JSON.stringify(document)).not.toContain(KEY);
    expect(service.output().stderr).not.toContain(KEY);
  },
  MINUTES,
);
