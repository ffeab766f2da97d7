import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { idOf, readDescription } from "../../support/checks/description.ts";
import type { Described } from "../../support/checks/description.ts";
import { eventually } from "../../support/eventually.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let checked: Described["checked"];

beforeAll(async () => {
  const service = await useSharedService();
  ({ checked } = await readDescription(service));
});

verifies("envelope.openapi.describes-answers", "a task that has run is as the document says", async () => {
  const agent = await checked("POST", "/functions/v1/api-agents", { body: { name: "A", model: "demo" } });
  const body = { title: "Run", description: "[[slow:0]][[say:x]]", assigned_agent_id: idOf(agent) };
  const task = await checked("POST", "/functions/v1/api-tasks", { body });
  const at = `/functions/v1/api-tasks?id=${idOf(task)}`;
  await eventually("the task has completed", async () => {
    const { body: now } = await checked("GET", "/functions/v1/api-tasks", { at });
    return z.looseObject({ status: z.string() }).parse(now).status === "completed";
  });
});

verifies(
  "envelope.openapi.describes-answers",
  "teams with members, their runs and webhook subscriptions are as the document says",
  async () => {
    const [teams, runs, hooks] = [
      "/functions/v1/api-teams",
      "/functions/v1/api-runs",
      "/functions/v1/api-hooks",
    ] as const;
    const agentId = idOf(await checked("POST", "/functions/v1/api-agents", { body: { name: "A", model: "demo" } }));
    const config = { steps: [{ agent_id: agentId }] };
    const teamId = idOf(await checked("POST", teams, { body: { name: "T", mode: "pipeline", config } }));
    const run = await checked("POST", runs, { body: { team_id: teamId, input_task: "x" } });
    const ofRun = `${runs}?id=${idOf(run)}`;
    await eventually("the run has ended", async () => {
      const { body } = await checked("GET", runs, { at: ofRun });
      return z.looseObject({ status: z.string() }).parse(body).status === "completed";
    });
    const hook = { target_url: "https://example.com/", event: "task.completed", agent_id: agentId, team_id: teamId };
    const subscription = await checked("POST", hooks, { body: hook });
    const ofHook = `${hooks}?id=${idOf(subscription)}`;
    const ofFork = `/console/api/runs/${idOf(run)}/fork`;
    const ofTeam = `/console/api/teams/${teamId}/memories`;
    const statuses = [
      run,
      subscription,
      await checked("POST", "/console/api/runs/{id}/fork", { at: ofFork, body: { from_step: 0 } }),
      await checked("POST", "/console/api/runs/{id}/fork", { at: ofFork, body: {} }),
      await checked("POST", "/console/api/runs/{id}/retry", { at: `/console/api/runs/${idOf(run)}/retry` }),
      await checked("POST", "/console/api/tasks/retry", { body: { error_code: "CRASH_LOOP" } }),
      await checked("POST", "/console/api/runs/retry", { body: { error_code: "CRASH_LOOP" } }),
      await checked("GET", "/console/api/teams/{id}/memories", { at: ofTeam }),
      await checked("DELETE", "/console/api/teams/{id}/memories", { at: ofTeam }),
      await checked("DELETE", "/console/api/teams/{id}/memories/{memory_id}", { at: `${ofTeam}/${UNKNOWN}` }),
      await checked("GET", runs),
      await checked("PATCH", runs, { at: ofRun, body: { status: "pending" } }),
      await checked("PATCH", runs, { at: ofRun, body: { status: "running" } }),
      await checked("POST", runs, { body: { team_id: UNKNOWN, input_task: "x" } }),
      await checked("GET", hooks),
      await checked("GET", hooks, { at: ofHook }),
      await checked("POST", hooks, { body: {} }),
      await checked("DELETE", hooks, { at: ofHook }),
      await checked("DELETE", hooks, { at: ofHook }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([
      201, 201, 201, 400, 409, 200, 200, 200, 204, 404, 200, 200, 200, 404, 200, 200, 400, 204, 404,
    ]);
  },
);

verifies(
  "envelope.openapi.describes-answers",
  "a task that waits, and its answer, are as the document says",
  async () => {
    const agent = { name: "A", model: "demo", tools: ["request_approval"], config: { requires_approval: [] } };
    const agentId = idOf(await checked("POST", "/functions/v1/api-agents", { body: agent }));
    const description = '[[slow:0]][[tool:request_approval {"title":"Go?"}]]';
    const body = { title: "Ask", description, assigned_agent_id: agentId };
    const id = idOf(await checked("POST", "/functions/v1/api-tasks", { body }));
    const interaction = await eventually("the question", async () => {
      const { body: now } = await checked("GET", "/functions/v1/api-tasks", { at: `/functions/v1/api-tasks?id=${id}` });
      return z.looseObject({ interaction: z.looseObject({ interactionId: z.uuid() }).nullable() }).parse(now)
        .interaction;
    });
    const answer = { interactionId: interaction.interactionId, approved: true };
    const path = "/console/api/tasks/{id}/answer";
    const at = `/console/api/tasks/${id}/answer`;
    const statuses = [
      await checked("POST", path, { at, body: {} }),
      await checked("POST", path, { at: "/console/api/tasks/%00/answer", body: answer }),
      await checked("POST", path, { at, body: answer }),
      await checked("POST", path, { at, body: answer }),
      await checked("POST", "/console/api/runs/{id}/answer", {
        at: `/console/api/runs/${UNKNOWN}/answer`,
        body: answer,
      }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 200, 409, 404]);
  },
);
