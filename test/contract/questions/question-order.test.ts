import { expect } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import { callOf, questionOf, respond } from "../../support/interactions.ts";
import { startTask, taskEnd } from "../../support/runs.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

/** JSONB would sort these by length, then by letters. */
const ASKED = { total: 9, tax: { zeta: 1, al: 2 }, id: 7 };
const ANSWERED = { total: 8, tax: { zeta: 0, al: 2 }, id: 7 };

verifies("interactions.order", "people see the fields of a question and its answer in their order", async () => {
  const service = await useSharedService();
  const api = apiOf(service, service.keys.api);
  const desk = consoleOf(service, service.keys.api);
  const { id: agentId } = await createAgent(api, { tools: ["request_confirmation"] });
  const description = callOf("request_confirmation", { title: "In this order?", data: ASKED });
  const taskId = await startTask(service, agentId, { description });
  const { interactionId } = await questionOf(service, { agentId, taskId });
  const open = [
    await api.get(`/api-tasks?id=${taskId}`),
    await api.get("/api-tasks"),
    await desk.get(`/questions?run_id=${taskId}`),
    await desk.get(`/questions/${interactionId}`),
  ];
  for (const { text } of open) expect(text).toContain(`"data":${JSON.stringify(ASKED)}`);

  await respond(service, { agentId, taskId }, { interactionId, approved: true, data: ANSWERED });
  const { result } = await taskEnd(service, taskId);
  expect(result).toContain(JSON.stringify(ANSWERED));
  for (const path of [`/questions?state=answered&run_id=${taskId}`, `/questions/${interactionId}`]) {
    const { text } = await desk.get(path);
    for (const data of [ASKED, ANSWERED]) expect(text).toContain(`"data":${JSON.stringify(data)}`);
  }
});
