import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { ENCRYPTED, pdfDocument, wordDocument } from "../../support/documents.ts";
import { eventually } from "../../support/eventually.ts";
import { addFile, addText, createBase, documentRead, formOf, upload } from "../../support/knowledge.ts";
import type { SentFile } from "../../support/knowledge.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { toolResult } from "../../support/tool-calls.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

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

verifies(
  "knowledge.documents.locks-ordered",
  "an ingest locks its job after its document",
  async () => {
    const id = await addFile(sender, await createBase(api), { name: "tea.txt", content: "Green tea." });
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
  },
  { tags: "slow" },
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
    const ids = await Promise.all(cases.map(([file]) => addFile(sender, baseId, file)));
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
  { tags: "slow" },
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
  "knowledge.tool.outage",
  "an agent's search that PostgreSQL cancels is repeated",
  async () => {
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
  },
  { tags: "slow" },
);

// Last, since the service ends the connection with it.
verifies("knowledge.documents.refusals", "a file over the limit is rejected", async () => {
  const fields = { knowledge_base_id: await createBase(api) };
  const large = await upload(sender, formOf({ name: "a.txt", content: "x".repeat(1_200_000) }, fields));
  expect(large).toMatchObject({ status: 413, body: { error: { code: "payload_too_large" } } });
});
