import { beforeAll, expect } from "vitest";
import { V2, apiOf, consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { createSchedule } from "../../support/schedules.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { rawTable } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, taskIn } from "../../support/work.ts";

/** JavaScript's numbers would make it 9007199254740992. */
const METADATA = '{"order":9007199254740993,"lines":[-9007199254740993,1,{"sku":123456789012345678901234567890}]}';

let service: SharedService;
let api: Api;
let desk: Api;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  desk = consoleOf(service, service.keys.api);
});

function idIn(answer: Answer): string {
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return String(fieldsOf(answer)["id"]);
}

/** The long integers of a text, sorted: the database orders the fields of JSON. */
function longIntegers({ text }: { readonly text: string }): string[] {
  return (text.match(/-?\b\d{16,}\b/g) ?? []).toSorted();
}

const DIGITS = longIntegers({ text: METADATA });

verifies(
  "tasks.metadata.digits",
  "metadata keep the digits of integers above 2^53, however they are read",
  async () => {
    const created = await api.post("/api-tasks", `{"title":"Big","metadata":${METADATA}}`);
    const id = idIn(created);
    const path = `/api-tasks?id=${id}`;
    for (const answer of [created, await api.get(path), await api.get(path, V2), await api.get("/api-tasks?limit=5")]) {
      expect(longIntegers(answer)).toEqual(expect.arrayContaining(DIGITS));
    }
    const other = METADATA.replaceAll("993", "992");
    const changed = await api.patch(path, `{"metadata":${other}}`);
    expect([changed.status, longIntegers(changed)]).toEqual([200, longIntegers({ text: other })]);
    const back = await api.patch(path, `{"title":"Big","metadata":${METADATA}}`);
    expect(longIntegers(back)).toEqual(DIGITS);
    // A record that is sent back as it was read is no change.
    expect((await api.patch(path, back.text)).text).toBe(back.text);
    const tooLong = await api.patch(path, `{"metadata":{"n":${"9".repeat(400)}}}`);
    expect(refusal(tooLong)).toMatchObject({ status: 400, paths: ["metadata.n"] });
  },
);

verifies("tasks.metadata.digits", "the tasks of a schedule and of a trigger get its digits", async () => {
  const { id: agentId } = await createAgent(api);
  const scheduleId = await createSchedule(desk, { assigned_agent_id: agentId });
  const changed = await desk.patch(`/schedules/${scheduleId}`, `{"metadata":${METADATA}}`);
  expect([changed.status, longIntegers(changed)]).toEqual([200, DIGITS]);
  const fired = fieldsOf(await desk.post(`/schedules/${scheduleId}/run`, {}));
  await taskIn(api, String(fired["task_id"]), "completed");
  expect(longIntegers(await api.get(`/api-tasks?id=${String(fired["task_id"])}`))).toEqual(DIGITS);

  const made = await desk.post(
    "/triggers",
    `{"name":"T","title":"Event","assigned_agent_id":"${agentId}","metadata":${METADATA}}`,
  );
  const delivered = await fetch(String(fieldsOf(made)["url"]), { method: "POST", body: "{}" });
  const { task_id: taskId } = JSON.parse(await delivered.text());
  expect(longIntegers(await api.get(`/api-tasks?id=${taskId}`))).toEqual(DIGITS);
});

verifies("table-api.digits", "the table API keeps them in JSON, in CSV, in filters and in texts", async () => {
  const raw = rawTable(service);
  const headers = { prefer: "return=representation" };
  const workspace = `"workspace_id":"${service.workspaceId}"`;
  const inserted = await raw("POST", "/tasks?select=id,metadata", {
    body: `{"title":"Row","metadata":${METADATA},${workspace}}`,
    headers,
  });
  expect([inserted.status, longIntegers(inserted)]).toEqual([201, DIGITS]);
  const found = await raw("GET", "/tasks?select=metadata&metadata->>order=eq.9007199254740993&title=eq.Row");
  expect(longIntegers(found)).toEqual(DIGITS);
  const other = METADATA.replaceAll("993", "992");
  const changed = await raw("PATCH", "/tasks?title=eq.Row&select=metadata", { body: `{"metadata":${other}}`, headers });
  expect(longIntegers(changed)).toEqual(longIntegers({ text: other }));
  const csv = `title,metadata,workspace_id\nSheet,"${METADATA.replaceAll('"', '""')}",${service.workspaceId}\n`;
  const sheet = await raw("POST", "/tasks?select=metadata", {
    body: csv,
    headers: { ...headers, "content-type": "text/csv" },
  });
  expect(longIntegers(sheet)).toEqual(DIGITS);
  const text = await raw("POST", "/tasks?select=title", { body: `{"title":9007199254740993,${workspace}}`, headers });
  expect(text.body).toEqual([{ title: "9007199254740993" }]);
});

verifies("agents.config.digits", "the config of an agent keeps them, also in a copy of its record", async () => {
  const made = await api.post("/api-agents", `{"name":"Big","model":"demo","config":${METADATA}}`);
  expect(longIntegers(made)).toEqual(DIGITS);
  expect(longIntegers(await api.post("/api-agents", made.text))).toEqual(DIGITS);
});
