import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import { inTurns, startScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedService } from "../../support/providers/scripted-agents.ts";
import { stepOf } from "../../support/run-steps.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";

let scene: ScriptedService;

beforeAll(async () => {
  scene = await startScriptedService({ MODEL_ATTEMPTS: "1" });
});
afterAll(() => scene.stop());

verifies(
  ["run-page.step.message-tokens", "run-page.step.reserved"],
  "a model call says what its messages count, and what budgets reserved for it",
  async () => {
    const player = await scene.player(
      inTurns((reply) => reply.callTool("current_time", {}, "look")),
      { tools: ["current_time"], system_prompt: "Be exact. ".repeat(50), max_tokens: 100 },
    );
    const free = await createTask(scene.api, { title: "Watch", assigned_agent_id: player.id });
    await taskIn(scene.api, free.id, "completed");
    const step = await stepOf(scene.service, free.id, "model:1");
    const tokens = step.request?.message_tokens ?? [];
    const [system = 0, user = 0] = tokens;
    expect(tokens).toHaveLength(step.request?.messages.length ?? -1);
    expect(system).toBeGreaterThan(user);
    const sum = tokens.reduce((all, each) => all + each, 0);
    // The tools have their part.
    expect(sum).toBeLessThanOrEqual(step.reply?.usage.promptTokens ?? 0);
    expect(sum).toBeGreaterThan(0);
    expect(step.reserved).toBe(null);

    const budget = { scope: "workspace", period: "day", max_usd: 5 };
    expect((await consoleOf(scene.service, scene.service.keys.api).post("/budgets", budget)).status).toBe(201);
    const capped = await createTask(scene.api, { title: "Watch", assigned_agent_id: player.id });
    await taskIn(scene.api, capped.id, "completed");
    const { reserved, cost_usd: used = 0 } = await stepOf(scene.service, capped.id, "model:0");
    expect(reserved?.tokens).toBeGreaterThan(100);
    expect(reserved?.usd).toBeGreaterThan(used);
  },
);

verifies("run-page.step.message-tokens", "a call without reported usage has the estimate of budgets", async () => {
  const player = await scene.player((_, reply) => reply.refuse(400, "Too long."), {
    system_prompt: "x".repeat(400),
  });
  const { id } = await createTask(scene.api, { title: "Fail", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "failed");
  const { request } = await stepOf(scene.service, id, "model:0");
  // Two bytes count as a token.
  expect(request?.message_tokens[0]).toBe(Math.round(JSON.stringify(request?.messages[0]).length / 2));
});
