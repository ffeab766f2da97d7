import { beforeAll, expect } from "vitest";
import { idOf, readDescription } from "../../support/checks/description.ts";
import { formText } from "../../support/files.ts";
import type { Described } from "../../support/checks/description.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: SharedService;
let checked: Described["checked"];

beforeAll(async () => {
  service = await useSharedService();
  ({ checked } = await readDescription(service));
});

verifies(
  "envelope.openapi.describes-answers",
  "the identity and providers' keys are as the document says",
  async () => {
    expect((await checked("GET", "/functions/v1/api-me")).status).toBe(200);
    expect((await checked("GET", "/version")).status).toBe(200);
    const list = "/console/api/provider-keys";
    const one = `${list}/{provider}`;
    const statuses = [
      await checked("PUT", one, { at: `${list}/openai`, body: { api_key: "sk-0123456789" } }),
      await checked("PUT", one, { at: `${list}/openai-compatible`, body: { base_url: "https://models.example/v1" } }),
      await checked("PUT", one, { at: `${list}/acme`, body: { api_key: "x" } }),
      await checked("GET", list),
      await checked("DELETE", one, { at: `${list}/openai` }),
      await checked("DELETE", one, { at: `${list}/%00` }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 404, 200, 204, 400]);
  },
);

verifies("envelope.openapi.describes-answers", "keys are as the document says", async () => {
  const list = "/console/api/keys";
  const key = await checked("POST", list, { body: { label: "K", kind: "table", expires_at: "2100-01-01T00:00:00Z" } });
  const [one, at] = [`${list}/{id}`, `${list}/${idOf(key)}`];
  const statuses = [
    key,
    await checked("POST", list, { body: { label: "K" } }),
    await checked("PATCH", one, { at, body: { label: "L" } }),
    await checked("POST", `${one}/rotate`, { at: `${at}/rotate`, body: {} }),
    await checked("GET", list),
    await checked("DELETE", one, { at }),
    await checked("DELETE", one, { at: `${list}/x` }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 400, 200, 201, 200, 204, 400]);
});

verifies("envelope.openapi.describes-answers", "files and the marketplace are as the document says", async () => {
  const offered = { name: "A", model: "demo", is_marketplace: true };
  const agentId = idOf(await checked("POST", "/functions/v1/api-agents", { body: offered }));
  const config = { steps: [{ agent_id: agentId }] };
  const team = await checked("POST", "/functions/v1/api-teams", { body: { name: "T", mode: "pipeline", config } });
  const agents = "/console/api/agents";
  const teams = "/console/api/teams";
  const shop = "/console/api/marketplace";
  const agentFile = await checked("GET", `${agents}/{id}/export`, { at: `${agents}/${agentId}/export` });
  const teamFile = await checked("GET", `${teams}/{id}/export`, { at: `${teams}/${idOf(team)}/export` });
  const statuses = [
    agentFile,
    teamFile,
    await checked("POST", `${agents}/import`, { body: agentFile.body }),
    await checked("POST", `${teams}/import`, { body: teamFile.body }),
    await checked("POST", `${agents}/import`, { body: {} }),
    await checked("GET", shop),
    await checked("GET", `${shop}/{id}`, { at: `${shop}/${agentId}` }),
    await checked("POST", `${shop}/{id}/install`, { at: `${shop}/${agentId}/install` }),
    await checked("POST", `${shop}/{id}/install`, { at: `${shop}/${UNKNOWN}/install` }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 201, 201, 400, 200, 200, 201, 404]);
});

verifies("envelope.openapi.describes-answers", "custom tools are as the document says", async () => {
  const list = "/console/api/tools";
  const fields = {
    name: "look_up",
    description: "Looks up.",
    url: "http://127.0.0.1:9/",
    headers: { "X-A": "secret" },
  };
  const tool = await checked("POST", list, { body: { ...fields, url: "https://tools.invalid/" } });
  const [one, at] = [`${list}/{id}`, `${list}/${idOf(tool)}`];
  const statuses = [
    tool,
    await checked("POST", list, { body: fields }),
    await checked("POST", list, { body: { ...fields, url: "https://tools.invalid/" } }),
    await checked("GET", list),
    await checked("GET", one, { at }),
    await checked("PATCH", one, { at, body: { description: "New." } }),
    await checked("POST", `${one}/test`, { at: `${at}/test`, body: { arguments: {} } }),
    await checked("GET", `${one}/calls`, { at: `${at}/calls` }),
    await checked("DELETE", one, { at }),
    await checked("GET", one, { at }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 400, 409, 200, 200, 200, 200, 200, 204, 404]);
});

verifies("envelope.openapi.describes-answers", "files are as the document says", async () => {
  const headers = { "x-api-key": service.keys.api, "content-type": "multipart/form-data; boundary=x" };
  const made = await checked("POST", "/files", { body: formText("a.txt", "A"), headers });
  const at = `/files/${idOf(made)}`;
  const statuses = [
    made,
    await checked("GET", "/files"),
    await checked("GET", "/files/{id}", { at }),
    await checked("DELETE", "/files/{id}", { at }),
    await checked("DELETE", "/files/{id}", { at }),
    await checked("POST", "/files", { body: formText("a.exe", "A"), headers }),
    await checked("POST", "/files", { body: "nothing", headers }),
    await checked("GET", "/files", { at: "/files?limit=0" }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 200, 200, 204, 404, 415, 400, 400]);
});
