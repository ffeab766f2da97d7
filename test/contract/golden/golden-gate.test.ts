import { beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { goldenOf } from "../../support/golden.ts";
import type { Golden } from "../../support/golden.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addMember } from "../../support/workspace.ts";

let service: SharedService;
let api: Api;
let desk: Api;
let golden: Golden;
beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  desk = consoleOf(service, service.keys.api);
  golden = goldenOf(service, api);
});

const LOUD = { output_template: { type: "Markdown", body: "{{task_result}}!" } };
const WARM = { temperature: 0.2 };

/** An agent with two cases and this gate. */
async function gated(required: unknown) {
  const { id } = await createAgent(api, { name: `Clerk ${String(required)}` });
  for (const word of ["Hi", "Ho"]) {
    await golden.keep(await golden.ended(id, { title: word, description: `[[slow:0]][[say:${word}]]` }));
  }
  const set = await desk.call("PUT", `/agents/${id}/golden/gate`, { body: { required } });
  expect(set.status, set.text).toBe(200);
  return id;
}

verifies("golden.gate", "a change is stored after a golden run of its very fields has passed", async () => {
  const id = await gated("all");
  const path = `/api-agents?id=${id}`;
  expect(refusal(await api.patch(path, WARM))).toMatchObject({
    status: 409,
    message: expect.stringMatching(
      /^The gate of "Clerk all" requires all of its golden cases, and the best .* passed 0 of 2/,
    ),
  });
  expect((await api.patch(path, { description: "Not a version" })).status).toBe(200);
  expect(refusal(await api.patch(path, { is_mcp_published: true }))).toMatchObject({ status: 409 });

  await golden.ends((await golden.start(id, { changes: LOUD })).id);
  expect(refusal(await api.patch(path, LOUD))).toMatchObject({ status: 409 });
  expect(await golden.ends((await golden.start(id, { changes: WARM })).id)).toMatchObject({ status: "passed" });
  expect(refusal(await api.patch(path, { ...WARM, ...LOUD }))).toMatchObject({ status: 409 });
  expect(fieldsOf(await api.patch(path, WARM))).toMatchObject({ version: 2, temperature: 0.2 });
  expect(fieldsOf(await api.patch(path, { is_mcp_published: true }))).toMatchObject({ is_mcp_published: true });
  expect((await desk.get(`/agents/${id}/golden/gate`)).body).toEqual({ required: "all", cases: 2, fault: null });

  const restore = () => desk.post(`/agents/${id}/versions/1/restore`, undefined);
  expect(refusal(await restore())).toMatchObject({ status: 409 });
  await golden.ends((await golden.start(id, { version: 1 })).id);
  expect((await restore()).status).toBe(200);

  await golden.keep(await golden.ended(id, { title: "Ha", description: "[[slow:0]][[say:Ha]]" }));
  expect(refusal(await api.patch(path, WARM))).toMatchObject({ status: 409 });
});

verifies("golden.gate", "what a golden run has tried is tried again, and published", async () => {
  const id = await gated("all");
  const tried = { golden_run_id: (await golden.start(id, { changes: WARM })).id };
  await golden.ends(tried.golden_run_id);
  await desk.patch(`/golden/cases/${await firstCase(id)}`, { name: "Changed since" });
  expect(refusal(await desk.post(`/agents/${id}/golden/publish`, tried))).toMatchObject({ status: 409 });
  expect(await golden.ends((await golden.start(id, tried)).id)).toMatchObject({ status: "passed", version: null });
  expect(fieldsOf(await desk.post(`/agents/${id}/golden/publish`, tried))).toMatchObject({ ...WARM, version: 2 });
  expect(refusal(await desk.post(`/agents/${id}/golden/publish`, { ...tried, version: 1 }))).toMatchObject({
    status: 400,
    message: expect.stringContaining("golden_run_id"),
  });
  const { id: other } = await createAgent(api, { name: "Other" });
  expect(refusal(await desk.post(`/agents/${other}/golden/publish`, tried))).toMatchObject({ status: 404 });
});

verifies("golden.gate", "a gate may require a number of the cases", async () => {
  const id = await gated(1);
  await desk.patch(`/golden/cases/${await firstCase(id)}`, { expected: "Something else" });
  expect(await golden.ends((await golden.start(id, { changes: WARM })).id)).toMatchObject({ passed: 1, failed: 1 });
  expect((await desk.post(`/agents/${id}/golden/publish`, { changes: WARM })).status).toBe(200);
  expect(refusal(await desk.call("PUT", `/agents/${id}/golden/gate`, { body: { required: 3 } }))).toMatchObject({
    status: 409,
    message: "This agent has 2 golden cases, so no version could pass 3: keep runs as golden first.",
  });
  await desk.call("PUT", `/agents/${id}/golden/gate`, { body: { required: "none" } });
  expect((await api.patch(`/api-agents?id=${id}`, LOUD)).status).toBe(200);
});

verifies("golden.gate.admin", "an admin publishes with a reason, which the audit log has", async () => {
  const id = await gated("all");
  const { key } = await addMember(service.databaseUrl, service.workspaceId, "member");
  const member = consoleOf(service, key);
  const body = { changes: LOUD, override: "The case is wrong." };
  expect(refusal(await member.post(`/agents/${id}/golden/publish`, body))).toMatchObject({ status: 403 });
  expect(refusal(await member.call("PUT", `/agents/${id}/golden/gate`, { body: { required: "none" } }))).toMatchObject({
    status: 403,
  });
  expect(refusal(await desk.post(`/agents/${id}/golden/publish`, { changes: LOUD }))).toMatchObject({ status: 409 });
  expect(fieldsOf(await desk.post(`/agents/${id}/golden/publish`, body))).toMatchObject({ version: 2 });
  const entry = { subject: { kind: "agent", id }, changes: { reason: [null, "The case is wrong."] } };
  expect(fieldsOf(await desk.get("/audit?action=agent.gate_overridden"))["items"]).toMatchObject([entry]);
  const gates = fieldsOf(await desk.get("/audit?action=golden_gate.created"))["items"];
  expect(gates).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ changes: expect.objectContaining({ required: [null, "all"] }) }),
    ]),
  );
});

async function firstCase(agentId: string): Promise<string> {
  const [first] = listOf(await desk.get(`/agents/${agentId}/golden/cases`));
  return String(first?.["id"]);
}
