import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { readDescription } from "../../support/checks/description.ts";
import type { Described } from "../../support/checks/description.ts";
import { eventually } from "../../support/eventually.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

let service: SharedService;
let checked: Described["checked"];

beforeAll(async () => {
  service = await useSharedService();
  ({ checked } = await readDescription(service));
});

const idOf = (answer: Answer): string => z.looseObject({ id: z.uuid() }).parse(answer.body).id;

verifies("envelope.openapi.describes-answers", "versions of agents are as the document says", async () => {
  const agent = await checked("POST", "/functions/v1/api-agents", { body: { name: "A", model: "demo" } });
  const versions = "/console/api/agents/{id}/versions";
  const [one, at] = [`${versions}/{version}`, `/console/api/agents/${idOf(agent)}/versions`];
  await send("PATCH", `${service.url}/functions/v1/api-agents?id=${idOf(agent)}`, {
    headers: { "x-api-key": service.keys.api },
    body: { system_prompt: "One.\nTwo." },
  });
  const statuses = [
    await checked("GET", versions, { at }),
    await checked("GET", versions, { at: `${at}?cursor=x` }),
    await checked("GET", one, { at: `${at}/2` }),
    await checked("GET", one, { at: `${at}/3` }),
    await checked("GET", `${one}/diff`, { at: `${at}/2/diff` }),
    await checked("POST", `${one}/restore`, { at: `${at}/1/restore` }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 400, 200, 404, 200, 200]);
});

verifies("envelope.openapi.describes-answers", "what is published is as the document says", async () => {
  const body = { name: "A", model: "demo", is_mcp_published: true, is_a2a_published: true };
  expect((await checked("POST", "/functions/v1/api-agents", { body })).status).toBe(201);
  expect((await checked("GET", "/console/api/published")).status).toBe(200);
});

verifies("envelope.openapi.describes-answers", "schedules and triggers are as the document says", async () => {
  const agent = await checked("POST", "/functions/v1/api-agents", { body: { name: "A", model: "demo" } });
  const template = { name: "N", title: "T", assigned_agent_id: idOf(agent) };
  const [schedules, triggers] = ["/console/api/schedules", "/console/api/triggers"];
  const schedule = await checked("POST", schedules, { body: { ...template, cron: "* * * * * *" } });
  const atSchedule = `${schedules}/${idOf(schedule)}`;
  const hook = await checked("POST", triggers, { body: template });
  const atTrigger = `${triggers}/${idOf(hook)}`;
  const deliver = async (url: string, body: object) =>
    checked("POST", "/hooks/in/{token}", { at: new URL(url).pathname, body, headers: {} });
  const { url } = z.looseObject({ url: z.string() }).parse(hook.body);
  const fires = () => checked("GET", `${schedules}/{id}/fires`, { at: `${atSchedule}/fires` });
  await eventually(
    "a fire",
    async () =>
      z
        .array(z.unknown())
        .min(1)
        .safeParse((await fires()).body).success,
  );
  const statuses = [
    schedule,
    await checked("POST", schedules, { body: { ...template, cron: "x" } }),
    await checked("PATCH", `${schedules}/{id}`, { at: atSchedule, body: { is_active: false } }),
    await checked("GET", schedules),
    await checked("POST", `${schedules}/preview`, { body: { cron: "0 9 * * *" } }),
    await checked("POST", `${schedules}/preview`, { body: { cron: "x" } }),
    await checked("POST", `${schedules}/{id}/run`, { at: `${atSchedule}/run` }),
    await fires(),
    await checked("GET", `${schedules}/{id}`, { at: atSchedule }),
    await checked("DELETE", `${schedules}/{id}`, { at: atSchedule }),
    hook,
    await checked("POST", triggers, { body: {} }),
    await deliver(url, { a: 1 }),
    await deliver("http://localhost/hooks/in/mst_hook_unknown", {}),
    await checked("GET", `${triggers}/{id}/deliveries`, { at: `${atTrigger}/deliveries` }),
    await checked("PATCH", `${triggers}/{id}`, { at: atTrigger, body: { is_active: false } }),
    await deliver(url, {}),
    await checked("GET", triggers),
    await checked("GET", `${triggers}/{id}`, { at: atTrigger }),
    await checked("POST", `${triggers}/{id}/rotate`, { at: `${atTrigger}/rotate` }),
    await checked("DELETE", `${triggers}/{id}`, { at: atTrigger }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([
    201, 400, 200, 200, 200, 400, 201, 200, 200, 204, 201, 400, 202, 404, 200, 200, 409, 200, 200, 200, 204,
  ]);
});
