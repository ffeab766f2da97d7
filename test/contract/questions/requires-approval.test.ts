import { beforeAll, describe, expect, test } from "vitest";
import { apiOf } from "../../support/api.ts";
import { callOf, expectWholeStreamWithQuestions, questionOf, respond } from "../../support/interactions.ts";
import { startTask, taskEnd } from "../../support/runs.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
});

describe("requires_approval", () => {
  verifies(
    "interactions.tool.requires-approval",
    "a tool that needs approval is called after it, and not at all after a rejection",
    async () => {
      const api = apiOf(service, service.keys.api);
      const agent = await createAgent(api, { config: { approvers: "caller", requires_approval: ["current_time"] } });
      for (const approved of [true, false]) {
        const taskId = await startTask(service, agent.id, {
          description: callOf("current_time", { time_zone: "Europe/Oslo" }),
        });
        const task = { agentId: agent.id, taskId };
        const { reader, request, interactionId } = await questionOf(service, task);
        expect(request).toMatchObject({ interactionType: "approval", toolCallId: "demo_1_1" });
        expect(request["title"]).toContain("current_time");
        expect(request["description"]).toContain("Europe/Oslo");
        expect(ofType(reader.events, "TOOL_CALL_END")).toEqual([]);
        await respond(service, task, { interactionId, approved });
        const { result } = await taskEnd(service, taskId);
        if (approved) expect(result).toContain("(Europe/Oslo)");
        else expect(result).toContain("did not approve");
        await reader.over;
        await expectWholeStreamWithQuestions(reader.events);
      }
    },
  );

  test("a call with invalid arguments is rejected without a question", async () => {
    const api = apiOf(service, service.keys.api);
    const agent = await createAgent(api, { config: { approvers: "caller", requires_approval: ["current_time"] } });
    const taskId = await startTask(service, agent.id, { description: callOf("current_time", { zone: 5 }) });
    expect(await taskEnd(service, taskId)).toMatchObject({ status: "completed" });
    expect(ofType(await readToEnd(service, { agentId: agent.id, taskId }), "INTERACTION_REQUEST")).toEqual([]);
  });

  test("requires_approval is a list of tool names", async () => {
    const api = apiOf(service, service.keys.api);
    for (const requires_approval of ["current_time", [5], { wait: true }]) {
      const answer = await api.post("/api-agents", { name: "A", model: "demo", config: { requires_approval } });
      expect(answer.status).toBe(400);
    }
    const kept = { requires_approval: ["wait"], other: 1 };
    expect((await createAgent(api, { config: kept }))["config"]).toEqual(kept);
  });
});
