import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { documentRecord } from "#domain/knowledge/knowledge.ts";
import { apiOf, consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { ENCRYPTED, pdfDocument, wordDocument } from "../../support/documents.ts";
import { eventually } from "../../support/eventually.ts";
import { addText, createBase, documentRead, formOf, readDocument, search, upload } from "../../support/knowledge.ts";
import type { SentFile } from "../../support/knowledge.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { toolResult } from "../../support/tool-calls.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, taskInState } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const MINUTES = 180_000;

const WAITING_INGEST = `
  select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%knowledge_documents%'`;
const WAITING_SEARCH = `
  select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%passages%' and pid <> pg_backend_pid()`;
const INGEST = `
  insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, fence, input)
  select gen_random_uuid(), j.workspace_id, 'ingest', $1, j.attempt, 1, 'queued', 0, j.input from job_of_ingest($1) j`;

let service: TestService;
let api: Api;
let agents: Api;
let sender: { readonly url: string; readonly key: string };

beforeAll(async () => {
  service = await startService({
    env: { KNOWLEDGE_MAX_FILE_MIB: "1", KNOWLEDGE_MAX_PAGES: "5", KNOWLEDGE_MAX_UNPACKED_MIB: "4" },
  });
  sender = { url: service.url, key: service.keys.api };
  api = consoleOf(service, service.keys.api);
  agents = apiOf(service, service.keys.api);
});
afterAll(() => service.stop());

async function added(baseId: string, file: SentFile, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, body } = await upload(sender, formOf(file, { knowledge_base_id: baseId, ...fields }));
  expect({ status, body }).toMatchObject({ status: 201, body: { status: "pending", progress: 0, attempt: 1 } });
  return documentRecord.parse(body).id;
}

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

verifies("knowledge.documents.locks-ordered", "an ingest locks its job after its document", async () => {
  const id = await added(await createBase(api), { name: "tea.txt", content: "Green tea." });
  await documentRead(api, id);
  await sql(service.databaseUrl, "update knowledge_documents set status = 'pending' where id = $1", [id]);
  const deletion = new Client({ connectionString: service.databaseUrl });
  await deletion.connect();
  try {
    await deletion.query("begin");
    await deletion.query("select from knowledge_documents where id = $1 for update", [id]);
    await sql(service.databaseUrl, INGEST, [id]);
    await eventually("it waits", async () => (await sql(service.databaseUrl, WAITING_INGEST)).length > 0);
    expect((await deletion.query("select from jobs where subject_id = $1 for update nowait", [id])).rowCount).toBe(1);
    await deletion.query("rollback");
    expect(await documentRead(api, id)).toMatchObject({ status: "ready" });
  } finally {
    await deletion.end();
  }
});

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
    const ids = await Promise.all(files.map((file) => added(baseId, file)));
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
  MINUTES,
);

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
  MINUTES,
);

verifies(
  "knowledge.documents.bad-input",
  "an unreadable document fails with a reason, and the service continues",
  async () => {
    const baseId = await createBase(api);
    const bomb = wordDocument(["x"], [{ name: "word/media/a.bin", content: Buffer.alloc(8 * 1024 * 1024) }]);
    const cases: [SentFile, RegExp][] = [
      [{ name: "a.pdf", content: pdfDocument(["x"], ENCRYPTED) }, /encrypted/],
      [{ name: "b.pdf", content: "%PDF-1.7 and rubbish" }, /cannot be read/],
      [{ name: "c.pdf", content: pdfDocument(Array.from({ length: 6 }, () => "x")) }, /6 pages; at most 5/],
      [{ name: "d.docx", content: bomb }, /unpacks to more than 4 MiB/],
      [{ name: "e.txt", content: pdfDocument(["x"]) }, /declared as plain text, but it is application\/pdf/],
      [{ name: "f.md", content: "" }, /empty/],
    ];
    const ids = await Promise.all(cases.map(([file]) => added(baseId, file)));
    for (const [index, [, reason]] of cases.entries()) {
      const document = await documentRead(api, ids[index] ?? "");
      expect(document).toMatchObject({ status: "failed", passages: 0, error: expect.stringMatching(reason) });
    }
    // What no name may hold is taken out of it, here and where files are attached.
    const named = { name: '../../etc/no\0t"es\n.txt', content: "Still there." };
    expect((await upload(sender, formOf(named, { knowledge_base_id: baseId }))).body).toMatchObject({
      name: "notes.txt",
    });
    const { id } = await addText(api, baseId, { text: "Still here." });
    expect((await documentRead(api, id)).status).toBe("ready");
  },
  MINUTES,
);

verifies("knowledge.documents.refusals", "an invalid request is rejected immediately", async () => {
  const baseId = await createBase(api);
  const file = { name: "a.txt", content: "x" };
  const refused = async (form: FormData) => JSON.stringify(await upload(sender, form));
  expect(await refused(formOf(file, {}))).toMatch(/"status":400.*knowledge_base_id is required/);
  expect(await refused(formOf(file, { knowledge_base_id: UNKNOWN }))).toMatch(/"status":400.*no such knowledge base/);
  expect(await refused(formOf(file, { knowledge_base_id: baseId, colour: "red" }))).toMatch(/"status":400.*colour/);
  expect(await refused(formOf({ ...file, name: "a.exe" }, { knowledge_base_id: baseId }))).toMatch(
    /"status":400.*a\.exe.*docx/,
  );
  const without = new FormData();
  without.set("knowledge_base_id", baseId);
  expect(await refused(without)).toMatch(/"status":400.*file is required/);
  expect(refusal(await api.post("/knowledge/uploads", { knowledge_base_id: baseId }))).toMatchObject({ status: 400 });
  expect(
    refusal(await api.post("/knowledge/documents", { knowledge_base_id: UNKNOWN, name: "N", text: "x" })),
  ).toMatchObject({ status: 400, paths: ["knowledge_base_id"] });
  expect(refusal(await api.get(`/knowledge/search?q=x&knowledge_base_ids=${UNKNOWN}`))).toMatchObject({
    status: 400,
    paths: ["knowledge_base_ids"],
  });
  expect(refusal(await api.get("/knowledge/search?q="))).toMatchObject({ status: 400, paths: ["q"] });
  // Each of these takes nine bytes of the address.
  const longest = encodeURIComponent("鴨".repeat(2_000));
  expect((await api.get(`/knowledge/search?q=${longest}`)).status).toBe(200);
  expect(refusal(await api.get(`/knowledge/search?q=${longest}x`))).toMatchObject({ status: 400, paths: ["q"] });
  for (const path of ["", "/reprocess"]) {
    const method = path === "" ? "DELETE" : "POST";
    expect((await api.call(method, `/knowledge/documents/${UNKNOWN}${path}`)).status).toBe(404);
  }
});

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
  MINUTES,
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
  MINUTES,
);

verifies("knowledge.tool.outage", "an agent's search that PostgreSQL cancels is repeated", async () => {
  const base = await createBase(api);
  await documentRead(api, (await addText(api, base, { name: "Ships", text: "Zeppelins fly slowly." })).id);
  const { id: agentId } = await createAgent(agents, { tools: ["knowledge_search"], knowledge_base_ids: [base] });
  const locker = new Client({ connectionString: service.databaseUrl });
  await locker.connect();
  try {
    await locker.query("begin; lock table passages");
    const result = toolResult(service, { agentId, name: "knowledge_search", args: { query: "zeppelins" } });
    const waiting = async () => (await sql(service.databaseUrl, WAITING_SEARCH))[0];
    const { pid } = await eventually("it waits", waiting);
    await sql(service.databaseUrl, "select pg_cancel_backend($1)", [pid]);
    await eventually("it is cancelled", async () => (await waiting())?.["pid"] !== pid);
    await locker.query("rollback");
    expect(await result).toContain("Zeppelins fly slowly.");
  } finally {
    await locker.end();
  }
});

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

// Last, since the service ends the connection with it.
verifies("knowledge.documents.refusals", "a file over the limit is rejected", async () => {
  const fields = { knowledge_base_id: await createBase(api) };
  const large = await upload(sender, formOf({ name: "a.txt", content: "x".repeat(1_200_000) }, fields));
  expect(large).toMatchObject({ status: 413, body: { error: { code: "payload_too_large" } } });
});
