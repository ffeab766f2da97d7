import { beforeAll, expect } from "vitest";
import { openDelegationScene } from "../../support/a2a/delegation-scene.ts";
import type { DelegationScene } from "../../support/a2a/delegation-scene.ts";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import { callOf, questionOf, respond } from "../../support/interactions.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ProviderReply, Script } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";

let scripted: ScriptedWorkspace;
let scene: DelegationScene;

beforeAll(async () => {
  scripted = await useScriptedService();
  scene = await openDelegationScene(scripted.service);
});

verifies("a2a-client.both-families", "another Muster is a remote agent like any other", async () => {
  const script: Script = ({ body }, reply) => {
    reply.say(`Heard: ${body.messages.at(-1)?.content}`);
    reply.finish();
  };
  const echo = await scripted.player(script, { name: "Echo", is_a2a_published: true });
  const id = await scene.register(`${scene.service.url}/a2a/${echo.id}`, scene.service.keys.a2a);
  expect(await scene.delegated(id, "good morning")).toBe("Heard: good morning");
  await scene.settings.delete(`/remote-agents/${id}`);
});

verifies(
  "a2a-client.circle",
  "agents that delegate in a circle come to an end, also with one slot",
  async () => {
    const provider = await startScriptedProvider(({ body }, reply) => {
      const { role, content } = body.messages.at(-1) ?? {};
      const round = role === "user" ? /round (\d+) by (\S+)/.exec(String(content)) : null;
      if (round === null) reply.say(`Heard: ${content}`);
      else passOn(reply, { round: Number(round[1]), remoteId: String(round[2]) });
      reply.finish();
    });
    const small = await startService({ env: { ALLOW_PRIVATE_URLS: "true", RUNS_PER_PROCESS: "1", ...provider.env } });
    try {
      const [own, desk] = [apiOf(small, small.keys.api), consoleOf(small, small.keys.api)];
      const published = { is_a2a_published: true, is_mcp_published: true };
      const { id: circle } = await createAgent(own, { model: "gpt-4o", name: "Circle", ...published });
      const remote = { base_url: `${small.url}/a2a/${circle}`, token: small.keys.a2a };
      const remoteId = String(fieldsOf(await desk.post("/remote-agents", remote))["id"]);
      const headers = { Authorization: `Bearer ${small.keys.mcp}` };
      await desk.post("/mcp-servers", { name: "self", url: `${small.url}/mcp`, headers });
      const tools = ["a2a_delegate", "mcp:self/circle"];
      expect((await own.call("PATCH", `/api-agents?id=${circle}`, { body: { tools } })).status).toBe(200);
      const { id } = await createTask(own, { assigned_agent_id: circle, title: `round 0 by ${remoteId}` });
      const { result } = await taskIn(own, id, "completed");
      expect(result).toContain("delegated from agent to agent 5 times");
      const rounds = provider.calls.flatMap(
        ({ body }) => /round (\d+)/.exec(String(body.messages.at(-1)?.content))?.[1] ?? [],
      );
      expect(rounds).toEqual(["0", "1", "2", "3", "4", "5"]);
    } finally {
      await small.stop();
      await provider.close();
    }
  },
  { tags: "slow" },
);

/** Lets an agent delegate the next round, in turn over A2A and over MCP. */
function passOn(reply: ProviderReply, { round, remoteId }: { readonly round: number; readonly remoteId: string }) {
  const message = `round ${round + 1} by ${remoteId}`;
  if (round % 2 === 0) reply.callTool("a2a_delegate", { agent_id: remoteId, message });
  else reply.callTool("self--circle", { message });
}

verifies(
  "a2a-client.asks",
  "the question of another Muster is shown as its text, without the data for programs",
  async () => {
    const asker = await createAgent(scene.api, { name: "Asker", is_a2a_published: true, tools: ["request_choice"] });
    const id = await scene.register(`${scene.service.url}/a2a/${asker.id}`, scene.service.keys.a2a);
    const choices = [
      { id: "a", label: "Apple" },
      { id: "b", label: "Pear" },
    ];
    const taskId = await scene.delegating(id, callOf("request_choice", { title: "Which?", choices }));
    const { request, interactionId } = await questionOf(scene.service, { agentId: scene.agentId, taskId });
    expect(request).toMatchObject({ title: "Asker asks", description: "Which?\n\n- a: Apple\n- b: Pear" });
    await respond(scene.service, { agentId: scene.agentId, taskId }, { interactionId, text: "Pear" });
    await taskIn(scene.api, taskId, "completed");
    expect(await scene.resultOf(taskId)).toContain('{"selectedOptionId":"b"}');
    await scene.settings.delete(`/remote-agents/${id}`);
  },
);

verifies("a2a-client.bearer", "a token that the remote agent does not accept is named as the reason", async () => {
  const echo = (await createAgent(scene.api, { is_a2a_published: true })).id;
  const id = await scene.register(`${scene.service.url}/a2a/${echo}`, "wrong");
  expect(await scene.delegated(id, "Hello")).toContain("The remote agent does not accept its token (HTTP 401).");
  await scene.settings.delete(`/remote-agents/${id}`);
});
