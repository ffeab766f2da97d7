import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { makeBudget, budgetWindow } from "../../support/budgets.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import { createTeam, readRun, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readTask, taskIn } from "../../support/work.ts";

const CALL_TOKENS = 18;

let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startScriptedProvider((call, reply) => {
    if (call.task.startsWith("Two turns") && call.turn === 0) reply.callTool("current_time", {});
    else reply.say("done");
    reply.finish();
  });
});
afterAll(() => provider.close());

/** A workspace whose budget the first call exceeds, which then asks. */
async function workspaceThatAsks(maxTokens = 10) {
  const service = await useProvider(provider);
  const api = apiOf(service, service.keys.api);
  const console = consoleOf(service, service.keys.api);
  const { id: agentId } = await createAgent(api, {
    model: "gpt-4o",
    max_tokens: 50,
    tools: ["current_time"],
    config: { approvers: "caller" },
  });
  const budget = await makeBudget(console, { scope: "workspace", max_tokens: maxTokens, on_breach: "ask" });
  return { api, console, agentId, budget };
}

const question = z.looseObject({
  interactionId: z.string(),
  interactionType: z.string(),
  title: z.string(),
  description: z.string(),
});

async function answer(console: Api, kind: "tasks" | "runs", id: string, record: object, approved: boolean) {
  const { interaction } = z.looseObject({ interaction: question }).parse(record);
  const { interactionId } = interaction;
  expect((await console.post(`/${kind}/${id}/answer`, { interactionId, approved })).status).toBe(200);
  return interaction;
}

verifies("budgets.ask", "a person who approves adds the cap once more, or what the call needs", async () => {
  const { api, console, agentId, budget } = await workspaceThatAsks();
  const { id } = await createTask(api, { title: "Approved", assigned_agent_id: agentId });
  const asked = await answer(console, "tasks", id, await taskIn(api, id, "waiting_for_input"), true);
  expect(asked).toMatchObject({
    interactionType: "approval",
    title: "May the run exceed the budget of the workspace?",
  });
  const words = /of 10 tokens can't cover .* \(0 tokens used, up to .* needed\)\. Approving adds ([\d,]+) tokens for/;
  const added = Number(words.exec(asked.description)?.[1]?.replaceAll(",", ""));
  await taskIn(api, id, "completed");
  expect(provider.callsOf("Approved")).toHaveLength(1);
  const standing = await budgetWindow(console, budget.id);
  expect(standing).toMatchObject({ used_tokens: CALL_TOKENS, reserved_tokens: 0 });
  expect(added).toBeGreaterThan(50);
  expect(standing.cap_tokens).toBe(10 + added);
});

verifies("budgets.ask", "each later breach asks again, and earlier calls are not repeated", async () => {
  const { api, console, agentId } = await workspaceThatAsks();
  const { id } = await createTask(api, { title: "Two turns", assigned_agent_id: agentId });
  await answer(console, "tasks", id, await taskIn(api, id, "waiting_for_input"), true);
  await provider.called("Two turns", 0);
  await answer(console, "tasks", id, await taskIn(api, id, "waiting_for_input"), true);
  await taskIn(api, id, "completed");
  expect(provider.callsOf("Two turns").map(({ turn }) => turn)).toEqual([0, 1]);
});

verifies("budgets.ask", "approval to exceed one budget does not apply to another", async () => {
  const { api, console, agentId, budget } = await workspaceThatAsks(5_000);
  await makeBudget(console, { scope: "agent", target_id: agentId, max_tokens: 10, on_breach: "ask" });
  const { id } = await createTask(api, { title: "Two budgets", assigned_agent_id: agentId });
  const waiting = await taskIn(api, id, "waiting_for_input");
  await console.patch(`/budgets/${budget.id}`, { max_tokens: 10 });
  expect((await answer(console, "tasks", id, waiting, true)).title).toContain("the budget of the agent?");
  const again = await taskIn(api, id, "waiting_for_input");
  expect(await budgetWindow(console, budget.id)).toMatchObject({ cap_tokens: 10 });
  expect((await answer(console, "tasks", id, again, true)).title).toContain("the budget of the workspace?");
  await taskIn(api, id, "completed");
});

verifies("budgets.ask", "a person who rejects ends the run", async () => {
  const { api, console, agentId, budget } = await workspaceThatAsks();
  const { id } = await createTask(api, { title: "Not approved", assigned_agent_id: agentId });
  await answer(console, "tasks", id, await taskIn(api, id, "waiting_for_input"), false);
  await taskIn(api, id, "failed");
  expect((await readTask(api, id)).error).toMatch(/^budget_exceeded: .* A person refused to let it continue\./);
  expect(provider.callsOf("Not approved")).toEqual([]);
  expect(await budgetWindow(console, budget.id)).toMatchObject({ used_tokens: 0, cap_tokens: 10 });
});

verifies("budgets.ask", "a team run waits for the answer and continues where it stopped", async () => {
  const { api, console, agentId, budget } = await workspaceThatAsks(200);
  const team = await createTeam(api, { config: { steps: [1, 2, 3].map(() => ({ agent_id: agentId })) } });
  const before = provider.calls.length;
  const { id } = await startRun(api, team.id);
  const record = await runIn(api, id, "waiting_for_input");
  const done = provider.calls.length - before;
  await console.patch(`/budgets/${budget.id}`, { max_tokens: 5_000 });
  await answer(console, "runs", id, record, true);
  await runIn(api, id, "completed");
  expect(done).toBeLessThan(3);
  expect(provider.calls.length - before).toBe(3);
  expect(await readRun(api, id)).toMatchObject({ interaction: null });
});
