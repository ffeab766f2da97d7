import { beforeAll, expect } from "vitest";
import { useScriptedService, inTurns, toolResults } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import type { IncompleteReason } from "../../support/providers/scripted-wire.ts";
import type { Script } from "../../support/scripted-provider.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";

let scene: ScriptedWorkspace;

beforeAll(async () => {
  scene = await useScriptedService();
});

/** A model that says this and ends so. */
function ending(text: string, reason?: IncompleteReason): Script {
  return (_call, reply) => {
    if (text !== "") reply.say(text);
    reply.finish(reason);
  };
}

async function runWith(script: Script, status: string, fields: object = {}) {
  const agent = await scene.player(script, { ...fields });
  const { id } = await createTask(scene.api, { title: "Tell", assigned_agent_id: agent.id });
  return { agent, task: await taskIn(scene.api, id, status) };
}

verifies("replies.cut.marked", "a result that reached the maximum length is complete, and says so", async () => {
  const { agent, task } = await runWith(ending("Once upon a", "length"), "completed");
  expect(task).toMatchObject({ result: "Once upon a", finish_reason: "length" });
  const events = await readToEnd(scene.service, { agentId: agent.id, taskId: task.id });
  expect(events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", finishReason: "length" });
  expect((await runWith(ending("The end."), "completed")).task).toMatchObject({ finish_reason: "stop" });
  expect((await runWith(ending("So far", "content_filter"), "completed")).task).toMatchObject({
    result: "So far",
    finish_reason: "content_filter",
  });
});

verifies("replies.cut.empty", "a reply without text that reached the maximum length fails", async () => {
  const { task } = await runWith(ending("", "length"), "failed");
  expect(task.error).toMatch(/reached the maximum length of a reply before any text\. Raise the agent's max_tokens/);
});

verifies("replies.refused", "a filtered reply without text fails with the provider's reason", async () => {
  const { task } = await runWith(ending("", "content_filter"), "failed");
  expect(task.error).toBe("gpt-4o gave no answer; its provider's reason: content_filter.");
});

verifies("replies.cut.call", "a cut tool call is not executed, and may be tried once more", async () => {
  const cut: Script = (call, reply) => {
    if (call.turn === 0) reply.callTool("current_time", '{"zone":"Eur');
    else reply.say("done");
    reply.finish(call.turn === 0 ? "length" : undefined);
  };
  const { agent, task } = await runWith(cut, "completed", { tools: ["current_time"], max_tokens: 50 });
  expect(task).toMatchObject({ result: "done", finish_reason: "stop" });
  const [first, second] = agent.calls();
  expect([first?.body["max_tokens"], second?.body["max_tokens"]]).toEqual([50, 200]);
  expect(toolResults(second)).toEqual([]);
  expect(second?.body.messages.at(-1)?.content).toContain("in the middle of a tool call (current_time)");

  const always: Script = (_call, reply) => {
    reply.callTool("current_time", "{");
    reply.finish("length");
  };
  const failed = await runWith(always, "failed", { tools: ["current_time"] });
  expect(failed.task.error).toContain("twice in the middle of a tool call");
  expect(failed.agent.calls()).toHaveLength(2);
});

verifies("replies.cut.pipeline", "an incomplete answer is a failure of its pipeline step", async () => {
  const writer = await scene.player((call, reply) => {
    reply.say(call.nth === 1 ? "Half an ans" : "A whole answer.");
    reply.finish(call.nth === 1 ? "length" : undefined);
  });
  const reader = await scene.player(inTurns((reply) => reply.say("Read.")));
  const steps = (on_failure: string) => [
    { agent_id: writer.id, step_name: "Write", instructions: on_failure, on_failure, max_retries: 1 },
    { agent_id: reader.id, step_name: "Read" },
  ];
  const start = async (on_failure: string) => {
    const team = await createTeam(scene.api, { mode: "pipeline", config: { steps: steps(on_failure) } });
    return startRun(scene.api, team.id, `Work: ${on_failure}`);
  };
  const retried = await runIn(scene.api, (await start("retry")).id, "completed");
  expect(retried).toMatchObject({ output: "Read.", finish_reason: "stop" });
  expect(reader.calls()[0]?.body.messages.at(-1)?.content).toContain("A whole answer.");
});
