import { Client } from "pg";
import { beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, idsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, readAgent } from "../../support/work.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

const KINDS = [
  {
    verifies: ["voice.saved.resource", "voice.saved.unknown-400"],
    path: "/voice-profiles",
    reference: "voice_profile_id",
    plain: { name: "Calm", tone: "Formal" },
    whole: { name: "Calm", tone: "Formal", custom_instructions: "", output_format_hints: "" },
    change: { tone: "Custom", custom_instructions: "Whisper.", output_format_hints: "One line." },
    wrong: [
      [{ tone: "Formal" }, "name"],
      [{ name: "", tone: "Formal" }, "name"],
      [{ name: "n".repeat(101), tone: "Formal" }, "name"],
      [{ name: "N", tone: "loud" }, "tone"],
      [{ name: "N", tone: null }, "tone"],
      [{ name: "N", tone: "Formal", custom_instructions: "x".repeat(10_001) }, "custom_instructions"],
      [{ name: "N", tone: "Formal", output_format_hints: null }, "output_format_hints"],
      [{ name: "N", tone: "Formal", colour: "red" }, "colour"],
      [{ name: "N\0", tone: "Formal" }, "name"],
    ],
  },
  {
    verifies: ["templates.saved.resource", "templates.saved.unknown-400"],
    path: "/output-templates",
    reference: "output_template_id",
    plain: { name: "Plain", type: "Markdown", body: "{{task_result}}" },
    whole: { name: "Plain", type: "Markdown", body: "{{task_result}}" },
    change: { type: "HTML", body: "<p>{{task_result}}</p>" },
    wrong: [
      [{ type: "CSV", body: "x" }, "name"],
      [{ name: "N", body: "x" }, "type"],
      [{ name: "N", type: "xml", body: "x" }, "type"],
      [{ name: "N", type: "CSV" }, "body"],
      [{ name: "N", type: "CSV", body: 1 }, "body"],
      [{ name: "N", type: "CSV", body: "x", colour: "red" }, "colour"],
    ],
  },
] as const;

let service: SharedService;
let api: Api;
let library: Api;
let workspaceId: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  library = consoleOf(service, service.keys.api);
  workspaceId = String(fieldsOf(await api.get("/api-me"))["workspace_id"]);
});

for (const { path, reference, plain, whole, change, wrong, ...row } of KINDS) {
  const make = async (on = library) => String(fieldsOf(await on.post(path, plain))["id"]);

  verifies(row.verifies, `${path}: one is created, read, changed, sent back whole and deleted`, async () => {
    const created = await library.post(path, plain);
    const record = fieldsOf(created);
    const { id, created_at, updated_at, created_by, ...fields } = record;
    expect(created.status).toBe(201);
    expect(fields).toEqual({ ...whole, workspace_id: workspaceId });
    expect([created_at, updated_at]).toEqual([expect.stringMatching(TIME), expect.stringMatching(TIME)]);
    expect(created_by).toBe(fieldsOf(await api.get("/api-me"))["id"]);

    const one = `${path}/${String(id)}`;
    expect(fieldsOf(await library.get(one))).toEqual(record);
    const changed = await library.patch(one, change);
    expect(changed.status).toBe(200);
    expect(fieldsOf(changed)).toEqual({ ...record, ...change, updated_at: fieldsOf(changed)["updated_at"] });
    const back = fieldsOf(await library.patch(one, { ...fieldsOf(changed), id: UNKNOWN }));
    expect(back).toEqual({ ...fieldsOf(changed), updated_at: back["updated_at"] });

    expect(await library.delete(one)).toMatchObject({ status: 204, text: "" });
    for (const gone of [await library.get(one), await library.patch(one, change), await library.delete(one)]) {
      expect(refusal(gone)).toMatchObject({ status: 404, code: "not_found" });
    }
  });

  verifies(row.verifies, `${path}: listed newest first, page by page`, async () => {
    const ids = [await make(), await make(), await make()].toReversed();
    const first = await library.get(`${path}?limit=2`);
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const [, next = ""] = /<\/console\/api([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? [];
    expect(idsOf(await library.get(next))[0]).toBe(ids[2]);
    expect(refusal(await library.get(`${path}?cursor=x`))).toMatchObject({ status: 400, paths: ["cursor"] });
    expect(refusal(await library.get(`${path}?limit=201`))).toMatchObject({ status: 400, paths: ["limit"] });
  });

  verifies(row.verifies, `${path}: bad input is rejected with its path, and nothing is written`, async () => {
    const id = await make();
    const before = listOf(await library.get(`${path}?limit=200`));
    for (const [body, fault] of wrong) {
      expect(refusal(await library.post(path, body))).toMatchObject({ status: 400, paths: [fault] });
      if (!(fault in body)) continue;
      expect(refusal(await library.patch(`${path}/${id}`, body))).toMatchObject({ status: 400, paths: [fault] });
    }
    expect(refusal(await library.get(`${path}/x`))).toMatchObject({ status: 400, paths: ["id"] });
    expect(listOf(await library.get(`${path}?limit=200`))).toEqual(before);
    const put = await library.call("PUT", `${path}/${id}`, { body: plain });
    expect([refusal(put).status, put.headers.get("allow")]).toEqual([405, "GET, PATCH, DELETE, HEAD, OPTIONS"]);
  });

  verifies(row.verifies, `${path}: a viewer can only read`, async () => {
    const workspace = await addWorkspace(service.databaseUrl);
    const id = await make(consoleOf(service, workspace.key));
    await sql(service.databaseUrl, "update members set role = 'viewer' where user_id = $1", [workspace.ownerId]);
    const viewer = consoleOf(service, await addKey(service.databaseUrl, workspace));
    expect(refusal(await viewer.post(path, plain))).toMatchObject({ status: 403, code: "forbidden" });
    expect(refusal(await viewer.patch(`${path}/${id}`, change))).toMatchObject({ status: 403 });
    expect(refusal(await viewer.delete(`${path}/${id}`))).toMatchObject({ status: 403 });
    expect(idsOf(await viewer.get(path))).toEqual([id]);
    expect(fieldsOf(await viewer.get(`${path}/${id}`))).toMatchObject(whole);
  });

  verifies(row.verifies, `${path}: those of another workspace look like unknown ones`, async () => {
    const { key } = await addWorkspace(service.databaseUrl);
    const foreign = await make(consoleOf(service, key));
    const agent = await createAgent(api);
    for (const id of [foreign, UNKNOWN]) {
      const asked = [
        await library.get(`${path}/${id}`),
        await library.patch(`${path}/${id}`, change),
        await library.delete(`${path}/${id}`),
      ];
      expect(asked.map(({ status }) => status)).toEqual([404, 404, 404]);
      const selected = [
        await api.post("/api-agents", { name: "A", model: "demo", [reference]: id }),
        await api.patch(`/api-agents?id=${agent.id}`, { name: "B", [reference]: id }),
      ].map(refusal);
      for (const one of selected) expect(one).toMatchObject({ status: 400, code: "bad_request", paths: [reference] });
    }
    expect(refusal(await api.patch(`/api-agents?id=${agent.id}`, { [reference]: "x" })).paths).toEqual([reference]);
    expect(await readAgent(api, agent.id)).toEqual(agent);
    expect(idsOf(await library.get(`${path}?limit=200`))).not.toContain(foreign);
    expect(fieldsOf(await consoleOf(service, key).get(`${path}/${foreign}`))).toMatchObject(whole);
  });
}

verifies("auth.workspace-isolation", "a run cannot use another workspace's text", async () => {
  const { key } = await addWorkspace(service.databaseUrl);
  const theirs = consoleOf(service, key);
  const [voice, template] = [
    await theirs.post("/voice-profiles", { name: "V", tone: "Custom", custom_instructions: "their secret" }),
    await theirs.post("/output-templates", { name: "T", type: "Custom", body: "their secret" }),
  ].map(fieldsOf);
  const agent = await createAgent(api);
  const madeUp = { voice_profile_id: voice?.["id"], output_template_id: template?.["id"] };
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await client.query(`begin; set local role muster_app; set local muster.workspace_id = '${workspaceId}'`);
    const { rows } = await client.query(
      `select agent_snapshot(jsonb_populate_record(a, $2)) from agents a where a.id = $1`,
      [agent.id, madeUp],
    );
    expect(JSON.stringify(rows)).toContain(agent.id);
    expect(JSON.stringify(rows)).not.toContain("their secret");
  } finally {
    await client.end();
  }
});
