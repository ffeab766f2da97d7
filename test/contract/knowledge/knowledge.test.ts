import { beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { pdfDocument, wordDocument } from "../../support/documents.ts";
import { addFile, addText, createBase, documentRead, readDocument, search } from "../../support/knowledge.ts";
import type { SentFile } from "../../support/knowledge.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, taskInState } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const MINUTES = 180_000;

let service: SharedService;
let api: Api;
let agents: Api;
let sender: { readonly url: string; readonly key: string };

beforeAll(async () => {
  service = await useSharedService();
  sender = { url: service.url, key: service.keys.api };
  api = consoleOf(service, service.keys.api);
  agents = apiOf(service, service.keys.api);
});

verifies(
  ["knowledge.bases.resource", "envelope.body.read-only-ignored"],
  "bases are created, listed, read, changed and deleted",
  async () => {
    const id = await createBase(api, { name: "One", description: "First" });
    expect((await api.get(`/knowledge/bases/${id}`)).body).toMatchObject({
      name: "One",
      documents: 0,
      embedding_model: null,
    });
    const changed = await api.patch(`/knowledge/bases/${id}`, { name: "Two", embedding_model: "none" });
    expect(changed.body).toMatchObject({ name: "Two", description: "First", embedding_model: "none" });
    const sentBack = await api.patch(`/knowledge/bases/${id}`, { ...fieldsOf(changed), documents: 9 });
    expect(sentBack.body).toMatchObject({ name: "Two", documents: 0 });
    expect(listOf(await api.get("/knowledge/bases?limit=200")).map((row) => row["id"])).toContain(id);
    expect(refusal(await api.post("/knowledge/bases", { name: "X", embedding_model: "gpt" })).paths).toEqual([
      "embedding_model",
    ]);
    expect((await api.delete(`/knowledge/bases/${id}`)).status).toBe(204);
    expect((await api.get(`/knowledge/bases/${id}`)).status).toBe(404);
  },
);

const files: readonly (SentFile & { readonly question: string })[] = [
  {
    name: "tea.txt",
    type: "text/plain",
    content: "Green tea is brewed at seventy degrees.",
    question: "brewing green tea",
  },
  { name: "dogs.md", content: "# Dogs\n\nPoodles shed little hair.", question: "poodle hair" },
  {
    name: "sea.html",
    type: "text/html",
    content: "<body><h1>Tides</h1><p>The moon pulls the oceans.</p></body>",
    question: "moon ocean",
  },
  {
    name: "prices.csv",
    type: "text/csv",
    content: "item,price\nwindmill,300\nkettle,20\n",
    question: "price of the windmill",
  },
  {
    name: "crew.json",
    type: "application/json",
    content: '[{"name":"Ida","role":"navigator"}]',
    question: "navigator",
  },
  {
    name: "law.pdf",
    type: "application/pdf",
    content: pdfDocument(["Preface", "Fences may be two metres high"]),
    question: "height of fences",
  },
  { name: "plan.docx", content: wordDocument(["The bridge opens in autumn."]), question: "when does the bridge open" },
];

verifies(
  ["knowledge.documents.formats", "knowledge.documents.status", "knowledge.search.words"],
  "every format is processed in the background and found by keywords, with its source",
  async () => {
    const baseId = await createBase(api);
    const ids = await Promise.all(files.map((file) => addFile(sender, baseId, file)));
    for (const [index, { name, question }] of files.entries()) {
      const document = await documentRead(api, ids[index] ?? "");
      expect(document).toMatchObject({
        name,
        status: "ready",
        error: null,
        warning: null,
        progress: 100,
        embeddings: null,
      });
      expect(document.passages).toBeGreaterThan(0);
      const { mode, results } = await search(api, question, { knowledge_base_ids: baseId });
      expect(mode).toBe("words");
      expect(results[0]).toMatchObject({ document: { id: ids[index], name }, score: 1, knowledge_base_id: baseId });
    }
    const [fence] = (await search(api, "fences")).results;
    expect(fence).toMatchObject({ page: 1, content: expect.stringContaining("two metres") });
    expect(listOf(await api.get(`/knowledge/documents?knowledge_base_id=${baseId}`))).toHaveLength(files.length);
  },
  { tags: "slow" },
);

verifies("knowledge.documents.warning", "a document says what could not be read in full, and is found", async () => {
  const baseId = await createBase(api);
  const text = "item,size\nPipe,5\nRod,3,left over\n";
  const { id } = await addText(api, baseId, { text, format: "csv" });
  expect(await documentRead(api, id)).toMatchObject({
    status: "ready",
    warning: "More cells than the header has (2), so that their last values have no name, in row 3.",
  });
  const found = await search(api, "left over", { knowledge_base_ids: baseId });
  expect(found.results[0]).toMatchObject({ content: expect.stringContaining("item: Rod; size: 3; left over") });
});

verifies(
  "knowledge.search.large",
  "in a large base rare words and adjacent words lead, and common words still find something",
  async () => {
    const baseId = await createBase(api);
    const sections = Array.from({ length: 2_500 }, (_, n) => {
      const words = ["garden", n % 2 === 0 && "roses", n % 3 === 0 && "water", n === 1_234 && "sundial"];
      return `# Section\n\n${words.filter(Boolean).join(" ")} ${n}`;
    });
    const { id } = await addText(api, baseId, { text: sections.join("\n\n"), format: "markdown" });
    expect(await documentRead(api, id)).toMatchObject({ status: "ready", passages: sections.length });
    const query = { knowledge_base_ids: baseId };
    expect((await search(api, "garden sundial", query)).results[0]?.position).toBe(1_234);
    const together = (await search(api, "garden roses water", query)).results;
    expect(together.map(({ position }) => position % 6)).toEqual([0, 0, 0, 0, 0]);
    expect((await search(api, "garden", query)).results).toHaveLength(5);
  },
  { tags: "slow" },
);

verifies(
  ["knowledge.documents.reprocess", "knowledge.documents.delete", "knowledge.documents.tags"],
  "a document is tagged, read once more without doubling, and deleted with its original",
  async () => {
    const baseId = await createBase(api);
    const { id } = await addText(api, baseId, { name: "Owls", text: "Owls hunt at night.", tags: ["birds"] });
    const other = await addText(api, baseId, { name: "Cats", text: "Cats hunt at night, too." });
    await Promise.all([documentRead(api, id), documentRead(api, other.id)]);
    const tagged = (tags: string) => search(api, "hunt at night", { knowledge_base_ids: baseId, tags });
    expect((await tagged("birds")).results.map(({ document }) => document.name)).toEqual(["Owls"]);
    expect((await api.patch(`/knowledge/documents/${id}`, { name: "Eagle owls", tags: ["night"] })).status).toBe(200);
    expect((await tagged("birds")).results).toEqual([]);
    expect((await tagged("night")).results[0]?.document).toEqual({ id, name: "Eagle owls", tags: ["night"] });
    const again = await api.post(`/knowledge/documents/${id}/reprocess`, "");
    expect(again.body).toMatchObject({ status: "pending", attempt: 2, passages: 0 });
    expect(await documentRead(api, id)).toMatchObject({ status: "ready", attempt: 2, passages: 1 });
    expect((await search(api, "owls", { knowledge_base_ids: baseId })).results).toHaveLength(1);
    expect((await api.delete(`/knowledge/documents/${id}`)).status).toBe(204);
    expect((await search(api, "owls", { knowledge_base_ids: baseId })).results).toEqual([]);
    expect((await api.delete(`/knowledge/bases/${baseId}`)).status).toBe(204);
    const left = await sql<{ n: string }>(
      service.databaseUrl,
      "select count(*) as n from passages where scope = $1 union all select count(*) from knowledge_documents where knowledge_base_id = $1",
      [baseId],
    );
    expect(left.map(({ n }) => n)).toEqual(["0", "0"]);
    expect((await api.get(`/knowledge/documents/${other.id}`)).status).toBe(404);
  },
  { tags: "slow" },
);

verifies(
  ["knowledge.tool.search", "agents.write.knowledge-base-ids", "knowledge.bases.kept-while-named"],
  "an agent finds passages of its own bases only",
  async () => {
    const [mine, others] = [await createBase(api), await createBase(api)];
    const texts = [
      await addText(api, mine, { name: "Mine", text: "Zeppelins fly slowly." }),
      await addText(api, others, { name: "Others", text: "Zeppelins burn." }),
    ];
    for (const { id } of texts) await documentRead(api, id);
    const ask = async (knowledge_base_ids: readonly string[]) => {
      const { id: agentId } = await createAgent(agents, { tools: ["knowledge_search"], knowledge_base_ids });
      const description = '[[tool:knowledge_search {"query":"zeppelins"}]]';
      return { agentId, result: (await taskInState(agents, { agentId, status: "completed", description })).result };
    };
    const restricted = await ask([mine]);
    expect(restricted.result).toContain("Mine");
    expect(restricted.result).not.toContain("Others");
    expect((await ask([])).result).toMatch(/Mine[^]*Others|Others[^]*Mine/);
    expect(
      refusal(await agents.post("/api-agents", { name: "A", model: "demo", knowledge_base_ids: [UNKNOWN] })),
    ).toMatchObject({ status: 400, paths: ["knowledge_base_ids"] });
    expect(
      refusal(await agents.patch(`/api-agents?id=${restricted.agentId}`, { knowledge_base_ids: [mine, UNKNOWN] })),
    ).toMatchObject({ status: 400, paths: ["knowledge_base_ids"] });
    expect(refusal(await api.delete(`/knowledge/bases/${mine}`))).toMatchObject({ status: 409 });
    await agents.patch(`/api-agents?id=${restricted.agentId}`, { knowledge_base_ids: [] });
    expect((await api.delete(`/knowledge/bases/${mine}`)).status).toBe(204);
  },
  { tags: "slow" },
);

verifies(
  "knowledge.search.tenancy",
  "no workspace finds, reads or changes another's knowledge",
  async () => {
    const baseId = await createBase(api);
    const { id } = await addText(api, baseId, { text: "The vault code is quetzalcoatl." });
    await documentRead(api, id);
    const stranger = await addWorkspace(service.databaseUrl);
    const theirs = consoleOf(service, stranger.key);
    await createBase(theirs);
    expect((await search(theirs, "quetzalcoatl")).results).toEqual([]);
    expect((await search(api, "quetzalcoatl")).results).toHaveLength(1);
    expect((await theirs.get(`/knowledge/search?q=x&knowledge_base_ids=${baseId}`)).status).toBe(400);
    expect(
      (await theirs.post("/knowledge/documents", { knowledge_base_id: baseId, name: "N", text: "x" })).status,
    ).toBe(400);
    for (const path of [`/knowledge/bases/${baseId}`, `/knowledge/documents/${id}`]) {
      expect((await theirs.get(path)).status).toBe(404);
      expect((await theirs.patch(path, { name: "X" })).status).toBe(404);
      expect((await theirs.delete(path)).status).toBe(404);
    }
    expect((await theirs.post(`/knowledge/documents/${id}/reprocess`, "")).status).toBe(404);
    const theirAgents = apiOf(service, stranger.key);
    const refused = await theirAgents.post("/api-agents", { name: "A", model: "demo", knowledge_base_ids: [baseId] });
    expect(refusal(refused)).toMatchObject({ status: 400, paths: ["knowledge_base_ids"] });
    // Past the API: the ranking itself, asked by the stranger's transaction for the other's scope.
    const ranked = await sql(
      service.databaseUrl,
      `select set_config('muster.workspace_id', $1, false), (select count(*) from search_passages('quetzalcoatl', array[$2]::uuid[], null, 10)) as n`,
      [stranger.workspaceId, baseId],
    );
    expect(ranked[0]?.["n"]).toBe("0");
    expect(await readDocument(api, id)).toMatchObject({ status: "ready", attempt: 1 });
  },
  MINUTES,
);
