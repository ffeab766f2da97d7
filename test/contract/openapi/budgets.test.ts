import { beforeAll, expect } from "vitest";
import { z } from "zod";
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

verifies("envelope.openapi.describes-answers", "budgets are as the document says", async () => {
  const list = "/console/api/budgets";
  const agentId = idOf(await checked("POST", "/functions/v1/api-agents", { body: { name: "A", model: "demo" } }));
  const budget = await checked("POST", list, { body: { scope: "agent", target_id: agentId, max_usd: 5.5 } });
  const [one, at] = [`${list}/{id}`, `${list}/${idOf(budget)}`];
  const statuses = [
    budget,
    await checked("POST", list, { body: { scope: "agent", target_id: agentId, period: "run", max_tokens: 5 } }),
    await checked("POST", list, { body: { scope: "agent", target_id: agentId } }),
    await checked("POST", list, { body: { scope: "agent", target_id: agentId, max_usd: 1 } }),
    await checked("GET", list),
    await checked("GET", list, { at: `${list}?target_id=${agentId}&limit=1` }),
    await checked("GET", one, { at }),
    await checked("PATCH", one, { at, body: { max_tokens: 9, on_breach: "ask" } }),
    await checked("GET", "/console/api/usage"),
    await checked("DELETE", one, { at }),
    await checked("DELETE", one, { at }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 201, 400, 409, 200, 200, 200, 200, 200, 204, 404]);
});

verifies("envelope.openapi.describes-answers", "usage is as the document says", async () => {
  const agentId = idOf(await checked("POST", "/functions/v1/api-agents", { body: { name: "A", model: "demo" } }));
  await checked("POST", "/functions/v1/api-tasks", { body: { title: "T", assigned_agent_id: agentId } });
  const path = "/console/api/usage";
  const at = `${path}?group_by=day,agent,model,team`;
  await eventually("usage of the task", async () => {
    const { body } = await checked("GET", path, { at });
    return z.looseObject({ rows: z.array(z.unknown()) }).parse(body).rows.length > 0;
  });
  const statuses = [
    await checked("GET", path),
    await checked("GET", path, { at: `${path}?group_by=hour` }),
    await checked("GET", `${path}/what-if`),
    await checked("GET", `${path}/what-if`, { at: `${path}/what-if?agent_id=${agentId}&from=2099-01-01` }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 400, 200, 400]);
});

verifies("envelope.openapi.describes-answers", "estimates are as the document says", async () => {
  const tasks = "/functions/v1/api-tasks";
  const agentId = idOf(await checked("POST", "/functions/v1/api-agents", { body: { name: "A", model: "demo" } }));
  const body = { title: "T", assigned_agent_id: agentId };
  const taskId = idOf(await checked("POST", tasks, { body }));
  await eventually("a run to estimate from", async () => {
    const { body: told } = await checked("GET", "/console/api/estimate", {
      at: `/console/api/estimate?agent_id=${agentId}`,
    });
    return z.looseObject({ runs: z.int() }).parse(told).runs === 1;
  });
  const statuses = [
    await checked("POST", tasks, { at: `${tasks}?estimate=true`, body }),
    await checked("POST", tasks, { at: `${tasks}?estimate=maybe`, body }),
    await checked("GET", "/console/api/estimate", { at: "/console/api/estimate?max_usd=-1" }),
    await checked("GET", "/console/api/runs/{id}/estimate", { at: `/console/api/runs/${taskId}/estimate` }),
    await checked("GET", "/console/api/runs/{id}/estimate", { at: `/console/api/runs/${agentId}/estimate` }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 400, 400, 200, 404]);
});
