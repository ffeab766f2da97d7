import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { HttpAgent as HttpAgent0 } from "ag-ui-client-0";
import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { send } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { inTurns, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { setStatus, startTask } from "../../support/runs.ts";
import { eventsIn, ofRun, readStream, readToEnd } from "../../support/sse-client.ts";
import { createTeam, readRun, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, readTask, stopTask, taskIn } from "../../support/work.ts";

let workspace: ScriptedWorkspace;

beforeAll(async () => {
  workspace = await useScriptedService();
});

const says = (content: string) => ({ id: newId(), role: "user", content }) as const;

function request(agentId: string) {
  const { url, keys } = workspace.service;
  return { url: `${url}/ag-ui/${agentId}/sse`, headers: { authorization: `Bearer ${keys.agui}` } };
}

/** An agent whose model begins to speak and never ends. */
function endless(config: object = {}) {
  return workspace.player((_, reply) => reply.say("Noo"), { config });
}

verifies("ag-ui.standard.cancelled", "a cancelled run is an outcome for 1.x, and an error for 0.0.59", async () => {
  const agent = await endless();
  const threadId = await startTask(workspace.service, agent.id);
  await taskIn(workspace.api, threadId, "running");
  await setStatus(workspace.service, threadId, "cancelled");
  const { url, headers } = request(agent.id);
  const endFor = async (protocolVersion?: string) => {
    const body = { threadId, runId: "mine", messages: [], protocolVersion };
    return eventsIn(await send("POST", url, { headers, body })).at(-1);
  };
  const [current, old] = [await endFor("1.0"), await endFor()];
  const outcome = { type: "RUN_FINISHED", threadId, runId: "mine", outcome: { type: "cancelled" } };
  expect(current).toEqual({ ...outcome, timestamp: expect.any(Number) });
  expect(EventSchemas.safeParse(current).error?.message).toBeUndefined();
  expect(old).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED" });
  const client = new HttpAgent({ ...request(agent.id), threadId });
  expect((await client.runAgent()).result).toBeUndefined();
});

verifies("ag-ui.event.usage", "the usage of a run holds all calls of the attempt, also before a question", async () => {
  const agent = await createAgent(workspace.api, { tools: ["request_input"] });
  const client = new HttpAgent({ ...request(agent.id) });
  client.addMessage(says(callOf("request_input", { title: "Name?" })));
  await client.runAgent();
  const [{ id } = { id: "" }] = client.pendingInterrupts;
  const resume = [{ interruptId: id, status: "resolved", payload: { text: "Ada" } } as const];
  await client.runAgent({ resume });
  const { usage } = await readTask(workspace.api, client.threadId);
  const { url, headers } = request(agent.id);
  const replay = await send("POST", url, { headers, body: { threadId: client.threadId, messages: [] } });
  expect(eventsIn(replay).at(-1)).toMatchObject({
    type: "RUN_FINISHED",
    usage: [
      {
        provider: "demo",
        model: "demo",
        inputTokens: usage["prompt_tokens"],
        outputTokens: usage["completion_tokens"],
        totalTokens: usage["total_tokens"],
      },
    ],
  });
  expect(usage["prompt_tokens"]).toBeGreaterThan(0);
});

verifies("ag-ui.event.usage", "a team run has that of all its agents, and a client of 0.0.59 accepts it", async () => {
  const { api, service } = workspace;
  const agents = [await workspace.player(inTurns()), await workspace.player(inTurns())];
  const config = { agent_ids: agents.map(({ id }) => id), max_turns: 2 };
  const { id: teamId } = await createTeam(api, { mode: "collaboration", config });
  const { id: runId } = await startRun(api, teamId, "Talk.");
  const events = await readToEnd(service, ofRun(runId));
  expect(events.at(-1)?.event["usage"]).toMatchObject([{ model: "gpt-4o", inputTokens: 22, totalTokens: 36 }]);
  expect(await readRun(api, runId)).toMatchObject({ usage: { total_tokens: 36 } });
  const client = new HttpAgent0({ ...request(agents[0]?.id ?? ""), threadId: newId() });
  client.addMessage(says("Hello"));
  expect((await client.runAgent()).newMessages).toMatchObject([{ role: "assistant" }]);
});

/** A client that has started a run and received a word of it. */
async function startedRun(agentId: string) {
  const client = new HttpAgent(request(agentId));
  client.addMessage(says("Go"));
  const begun = Promise.withResolvers<void>();
  const run = client.runAgent(undefined, { onTextMessageContentEvent: () => begun.resolve() });
  await begun.promise;
  return {
    taskId: client.threadId,
    async leave() {
      client.abortRun();
      await run.catch(() => undefined);
    },
  };
}

verifies(
  "ag-ui.standard.cancel-on-disconnect",
  "the run of an agent with the option is cancelled when the client that started it leaves",
  async () => {
    const { taskId, leave } = await startedRun((await endless({ cancel_on_disconnect: true })).id);
    await leave();
    expect(await taskIn(workspace.api, taskId, "cancelled")).toMatchObject({ attempt: 1 });
  },
);

verifies(
  "ag-ui.standard.cancel-on-disconnect",
  "a run continues without the option, while another reader follows it, and when only that one leaves",
  async () => {
    const { api, service } = workspace;
    const config = { cancel_on_disconnect: true };
    const [other, watched, sentinel] = [await endless(), await endless(config), await endless(config)];
    const [plain, followed, started] = [
      await startedRun(other.id),
      await startedRun(watched.id),
      await startedRun(watched.id),
    ];
    const readers = [followed, started].map(({ taskId }) => readStream(service, { agentId: watched.id, taskId }));
    const [reader, leaver] = await Promise.all(readers);
    await Promise.all([reader?.until(({ length }) => length > 0), leaver?.until(({ length }) => length > 0)]);
    await Promise.all([plain.leave(), followed.leave(), leaver?.cut()]);
    // A client that leaves after them: its run tells when the service has noticed.
    const last = await startedRun(sentinel.id);
    await last.leave();
    await taskIn(api, last.taskId, "cancelled");
    for (const { taskId } of [plain, followed, started]) {
      expect(await readTask(api, taskId)).toMatchObject({ status: "running" });
      await stopTask(api, taskId);
    }
    await started.leave();
  },
);
