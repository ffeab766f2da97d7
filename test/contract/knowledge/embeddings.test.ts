import { afterAll, beforeAll, expect } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { chargeRemainingReservations } from "#db/queries/budgets/budget-reservations.ts";
import { apiOf, consoleOf, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { makeBudget, budgetWindow } from "../../support/budgets.ts";
import { startEmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import type { EmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import { eventually } from "../../support/eventually.ts";
import { HANDBOOK, QUESTIONS } from "../../support/teams/garden-questions.ts";
import { addText, createBase, documentRead, search } from "../../support/knowledge.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, taskInState } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const KEY = "sk-test-embeddings";
/** What the provider says that each call has read. */
const TOKENS = 7;
/** USD a token, by the setting. */
const PRICE = 0.001;

let provider: EmbeddingProvider;
let service: TestService;
let api: Api;

beforeAll(async () => {
  provider = await startEmbeddingProvider();
  service = await startService({
    env: {
      OPENAI_BASE_URL: `${provider.url}/v1`,
      GOOGLE_BASE_URL: `${provider.url}/v1beta`,
      ALLOW_PRIVATE_URLS: "true",
      MODEL_ATTEMPTS: "1",
      MODEL_PRICES: JSON.stringify({ "text-embedding-3-large": { prompt: PRICE * 1_000_000, completion: 0 } }),
    },
  });
  api = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

/** A separate workspace that has stored this connection to a provider. */
async function workspaceWith(provider: string, connection: object): Promise<Api> {
  return (await connectedWorkspace(provider, connection)).console;
}

async function connectedWorkspace(provider: string, connection: object) {
  const { workspaceId, key } = await addWorkspace(service.databaseUrl);
  const saved = await send("PUT", `${service.url}/console/api/provider-keys/${provider}`, {
    headers: { "x-api-key": key },
    body: connection,
  });
  expect(saved.status).toBe(200);
  return { workspaceId, api: apiOf(service, key), console: consoleOf(service, key) };
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
  "the right passage is among the first five, by keywords and hybrid",
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
  { tags: "slow" },
);

const providers = [
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

for (const { provider: id, connection, base, space, path } of providers) {
  verifies(
    "knowledge.search.hybrid",
    `with a connection to ${id} a question is found by what is near to it`,
    async () => {
      const own = id === "openai-compatible" ? { base_url: `${provider.url}/compatible` } : connection;
      const of = await workspaceWith(id, own);
      const baseId = await createBase(of, base);
      const texts = ["Gardeners prune in spring.", "Fishermen mend nets in winter."];
      const made = await Promise.all(texts.map((text) => addText(of, baseId, { name: text, text })));
      for (const document of made)
        expect(await documentRead(of, document.id)).toMatchObject({ status: "ready", embeddings: space });
      // No word of it is in the texts, but parts of words are.
      const { mode, results } = await search(of, "gardenerless pruneable");
      expect(mode).toBe("hybrid");
      expect(results[0]).toMatchObject({ content: texts[0] });
      expect(provider.seen.some((request) => request.path.startsWith(path))).toBe(true);
    },
    { tags: "slow" },
  );
}

verifies(
  "knowledge.search.without-provider",
  "when the provider is unavailable, documents are ready with a warning and found by keywords",
  async () => {
    const of = await workspaceWith("openai", { api_key: KEY });
    const { document, baseId } = await handbookIn(of);
    expect(document.warning).toBeNull();
    provider.fail(401);
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
      provider.fail(undefined);
      await of.post(`/knowledge/documents/${id}/reprocess`, "");
      expect(await documentRead(of, id)).toMatchObject({
        warning: null,
        embeddings: "openai/text-embedding-3-small/512",
      });
      expect((await search(of, "tulips in October")).mode).toBe("hybrid");
    } finally {
      provider.fail(undefined);
    }
  },
  { tags: "slow" },
);

verifies(
  "knowledge.search.hybrid",
  "a base that is set to none is not embedded, and no key leaves the service in an answer",
  async () => {
    const of = await workspaceWith("openai", { api_key: KEY });
    const before = provider.embedded.length;
    const { document } = await handbookIn(of, { embedding_model: "none" });
    expect(document).toMatchObject({ status: "ready", embeddings: null, warning: null });
    expect(provider.embedded.length).toBe(before);
    expect(JSON.stringify(document)).not.toContain(KEY);
    expect(service.output().stderr).not.toContain(KEY);
  },
  { tags: "slow" },
);

verifies(
  ["usage.record.embeddings", "usage.task.sum"],
  "each embedding call has a record with its subject and its cost",
  async () => {
    const { workspaceId, api: envelope, console } = await connectedWorkspace("openai", { api_key: KEY });
    const baseId = await createBase(console);
    await documentRead(console, (await addText(console, baseId, { text: "Tulips are planted in October." })).id);
    const { id: agentId } = await createAgent(envelope, { tools: ["knowledge_search"] });
    const description = '[[slow:0]][[tool:knowledge_search {"query":"tulips"}]]';
    const task = await taskInState(envelope, { agentId, status: "completed", description });
    await search(console, "October");

    const cost = 0.00000014;
    const used = { model: "text-embedding-3-small", prompt_tokens: TOKENS, completion_tokens: 0, cost };
    const nobody = { ...used, task_id: null, agent_id: null, step: null };
    const records = await sql(
      service.databaseUrl,
      `select model, prompt_tokens, completion_tokens, estimated_cost_usd::double precision as cost, task_id, agent_id, step
       from usage_records where workspace_id = $1 and provider = 'openai' order by id`,
      [workspaceId],
    );
    expect(records).toEqual([nobody, { ...nobody, task_id: task.id, agent_id: agentId }, nobody]);
    expect(task.usage).toMatchObject({ cost_usd: cost });
    const sums = { calls: 3, prompt_tokens: 3 * TOKENS, completion_tokens: 0, cost_usd: 0.00000042 };
    const rows = [expect.objectContaining({ model: "text-embedding-3-small", ...sums }), expect.anything()];
    expect((await console.get("/usage?group_by=model")).body).toMatchObject({ rows });
  },
  { tags: "slow" },
);

/** What budgets count for this text before it is embedded, in tokens: half of its bytes. */
const TULIPS = "Tulips are planted in October.";
const LONG_QUESTION = "In which month of a year are tulips planted?";

verifies(
  ["budgets.embeddings", "budgets.failed-calls", "budgets.unpriced", "usage.prices.setting"],
  "text that budgets do not allow is not embedded; keywords find it, and the reason is shown",
  async () => {
    const { api: envelope, console } = await connectedWorkspace("openai", { api_key: KEY });
    const baseId = await createBase(console, { embedding_model: "openai/text-embedding-3-large" });
    const budget = await makeBudget(console, { scope: "workspace", max_usd: 10 * PRICE });
    const asked = provider.seen.length;
    const { id } = await addText(console, baseId, { text: TULIPS });
    const warning = expect.stringMatching(
      /budget_exceeded: The workspace's daily budget of \$0\.01 can't cover .* up to \$0\.015 needed/,
    );
    expect(await documentRead(console, id)).toMatchObject({ status: "ready", embeddings: null, warning });
    expect(provider.seen.length).toBe(asked);

    await console.patch(`/budgets/${budget.id}`, { max_usd: 25 * PRICE });
    provider.fail(401);
    await console.post(`/knowledge/documents/${id}/reprocess`, "");
    expect(await documentRead(console, id)).toMatchObject({ warning: expect.stringContaining("No embeddings today") });
    provider.fail(undefined);
    expect(await budgetWindow(console, budget.id)).toMatchObject({ used_usd: 0, reserved_usd: 0 });
    await console.post(`/knowledge/documents/${id}/reprocess`, "");
    expect(await documentRead(console, id)).toMatchObject({ warning: null, embeddings: expect.any(String) });
    const once = { used_usd: TOKENS * PRICE, reserved_usd: 0, reserved_tokens: 0 };
    expect(await budgetWindow(console, budget.id)).toMatchObject(once);

    const note = expect.stringMatching(/not embedded by openai\/text-embedding-3-large: budget_exceeded/);
    expect(await search(console, LONG_QUESTION)).toMatchObject({ mode: "words", note, results: [{ content: TULIPS }] });
    const { id: agentId } = await createAgent(envelope, { tools: ["knowledge_search"] });
    const description = `[[slow:0]][[tool:knowledge_search {"query":"${LONG_QUESTION}"}]]`;
    const { result } = await taskInState(envelope, { agentId, status: "completed", description });
    expect(result).toMatch(/Tulips are planted[^]*Full-text search was complete[^]*budget_exceeded/);
    expect(await budgetWindow(console, budget.id)).toMatchObject(once);
    expect(await search(console, "tulips")).toMatchObject({ mode: "hybrid", note: null });
    expect(await budgetWindow(console, budget.id)).toMatchObject({ ...once, used_usd: 2 * TOKENS * PRICE });

    const unpriced = await createBase(console, { embedding_model: "openai/text-embedding-x" });
    const { id: other } = await addText(console, unpriced, { text: TULIPS });
    expect(await documentRead(console, other)).toMatchObject({ warning: expect.stringContaining("has no price") });
  },
  { tags: "slow" },
);

verifies(
  ["budgets.crash", "budgets.embeddings"],
  "a document's reservation stays while it is processed, and counts as used once no process works on it",
  async () => {
    const { console } = await connectedWorkspace("openai", { api_key: KEY });
    const budget = await makeBudget(console, { scope: "workspace", max_tokens: 1_000 });
    provider.holdFrom(1);
    const { id } = await addText(console, await createBase(console), { text: TULIPS });
    const worst = Math.ceil(TULIPS.length / 2);
    await eventually("it is reserved", async () => (await budgetWindow(console, budget.id)).reserved_tokens === worst);
    const db = openDatabase({ url: service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
    const old = "update budget_reservations set created_at = created_at - interval '2 minutes'";
    try {
      await sql(service.databaseUrl, old);
      await chargeRemainingReservations(db);
      expect(await budgetWindow(console, budget.id)).toMatchObject({ used_tokens: 0, reserved_tokens: worst });
      await sql(service.databaseUrl, "delete from jobs where subject_id = $1", [id]);
      await chargeRemainingReservations(db);
      expect(await budgetWindow(console, budget.id)).toMatchObject({ used_tokens: worst, reserved_tokens: 0 });
    } finally {
      await db.close();
      provider.holdFrom(Infinity);
    }
  },
  { tags: "slow" },
);
