import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { HttpAgent as HttpAgent0 } from "ag-ui-client-0";
import { afterAll, beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { startScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedService } from "../../support/providers/scripted-agents.ts";
import { setStatus, startTask } from "../../support/runs.ts";
import type { ProviderReply, Script } from "../../support/scripted-provider.ts";
import { ofRun, readStream, readToEnd } from "../../support/sse-client.ts";
import type { ReceivedEvent } from "../../support/sse-client.ts";
import { createTeam, startRun } from "../../support/teams.ts";
import { expectWholeStream, messagesIn, ofType, shapeOf } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";

const SHOWN = { model: "gpt-6-luna", reasoning: { show: true }, tools: ["current_time"] };
const MARK = "the secret of the thought";
const FIRST = `I need the time for ${MARK}. ${"Let me think about it. ".repeat(30)}`;

let scripted: ScriptedService;
let gate = Promise.withResolvers<void>();

beforeAll(async () => {
  scripted = await startScriptedService({ LOG_LEVEL: "trace" });
});
afterAll(() => scripted.stop());

/** Thinks, calls a tool, thinks again, and answers. */
const thinker: Script = ({ turn }, reply) => {
  think(reply, turn === 0 ? FIRST : "Now I know.");
  if (turn === 0) {
    reply.say("One moment.");
    think(reply, "Which zone? ");
    think(reply, "UTC.");
    reply.callTool("current_time", { time_zone: "UTC" });
  } else reply.say("It is noon.");
  reply.finish();
};

function think(reply: ProviderReply, text: string): void {
  for (const word of text.match(/.{1,4}/gs) ?? []) reply.think(word);
}

/** The texts of the reasoning, in the order in which it began. */
function thoughtsIn(events: readonly ReceivedEvent[]): string[] {
  const renamed = events.map((each) => {
    const type = each.event.type.replace("REASONING_MESSAGE", "TEXT_MESSAGE");
    return { ...each, event: { ...each.event, type: each.event.type.startsWith("REASONING") ? type : "OTHER" } };
  });
  return messagesIn(renamed);
}

verifies(
  ["reasoning.shown.stream", "reasoning.shown.resumable"],
  "all that the model thinks is in the stream in its place, and a standard client resumes anywhere",
  async () => {
    const agent = await scripted.player(thinker, SHOWN);
    const taskId = await startTask(scripted.service, agent.id);
    const events = await readToEnd(scripted.service, { agentId: agent.id, taskId });
    await expectWholeStream(events);
    expect(thoughtsIn(events)).toEqual([FIRST, "Which zone? UTC.", "Now I know."]);
    expect(messagesIn(events)).toEqual(["One moment.", "It is noon."]);
    const thought = ["REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END"];
    const text = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"];
    const call = ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"];
    const first = [...thought, ...text, ...thought, "TEXT_MESSAGE_END", ...call];
    const second = [...thought, ...text, "TEXT_MESSAGE_END"];
    expect(shapeOf(events)).toEqual(["RUN_STARTED", ...first, ...second, "RUN_FINISHED"]);
    const request = { agentId: agent.id, taskId, isStandard: true } as const;
    const standard = await readToEnd(scripted.service, request);
    for (const { event } of standard) expect(EventSchemas.safeParse(event).error?.message).toBeUndefined();
    expect(ofType(standard, "REASONING_START").map((event) => event["messageId"])).toEqual(
      ofType(standard, "REASONING_END").map((event) => event["messageId"]),
    );
    for (const [index, { sseId }] of standard.slice(0, -1).entries()) {
      const rest = await readToEnd(scripted.service, { ...request, lastEventId: sseId });
      expect([sseId, rest]).toEqual([sseId, standard.slice(index + 1)]);
    }
  },
);

for (const { version, Agent } of [
  { version: "1.0", Agent: HttpAgent },
  { version: "0.0.59", Agent: HttpAgent0 },
]) {
  verifies("reasoning.shown.stream", `the client of ${version} has it in its messages, and continues`, async () => {
    const agent = await scripted.player(thinker, SHOWN);
    const { url, keys } = scripted.service;
    const client = new Agent({
      url: `${url}/ag-ui/${agent.id}/sse`,
      headers: { authorization: `Bearer ${keys.agui}` },
    });
    client.addMessage({ id: newId(), role: "user", content: "What time is it?" });
    await client.runAgent();
    const thoughts = client.messages.filter(({ role }) => role === "reasoning");
    expect(thoughts).toMatchObject([{ content: FIRST }, { content: "Which zone? UTC." }, { content: "Now I know." }]);
    client.addMessage({ id: newId(), role: "user", content: "Thanks." });
    expect((await client.runAgent()).newMessages).toMatchObject([
      { role: "reasoning", content: "Now I know." },
      { role: "assistant", content: "It is noon." },
    ]);
  });
}

verifies("reasoning.shown.stream", "a reader gets it while the model still thinks", async () => {
  gate = Promise.withResolvers();
  const agent = await scripted.player(async (_, reply) => {
    think(reply, FIRST);
    await gate.promise;
    reply.say("Done.");
    reply.finish();
  }, SHOWN);
  const taskId = await startTask(scripted.service, agent.id);
  const reader = await readStream(scripted.service, { agentId: agent.id, taskId });
  await reader.until((events) => thoughtsIn(events).join("").includes(MARK));
  expect(ofType(reader.events, "TEXT_MESSAGE_START")).toEqual([]);
  gate.resolve();
  expect(await reader.over).toBe("closed");
  expect(thoughtsIn(reader.events)).toEqual([FIRST]);
});

verifies("reasoning.shown.off", "without the setting the stream has the texts only", async () => {
  const agent = await scripted.player(thinker, { ...SHOWN, reasoning: { show: false } });
  const taskId = await startTask(scripted.service, agent.id);
  const events = await readToEnd(scripted.service, { agentId: agent.id, taskId });
  expect(messagesIn(events)).toEqual(["One moment.", "It is noon."]);
  expect(events.map(({ text }) => text).join("")).not.toMatch(/REASONING|Let me think/);
});

verifies("reasoning.shown.bounded", "5,000 pieces of reasoning are less than 100 events", async () => {
  const long = "Hmm. ".repeat(4_000);
  const agent = await scripted.player((_, reply) => {
    think(reply, long);
    reply.say("Done.");
    reply.finish();
  }, SHOWN);
  const taskId = await startTask(scripted.service, agent.id);
  const events = await readToEnd(scripted.service, { agentId: agent.id, taskId });
  expect(thoughtsIn(events)).toEqual([long]);
  expect(events.length).toBeLessThan(100);
});

verifies(
  ["reasoning.shown.closed", "reasoning.never-logged"],
  "a failed call and a cancelled run end the reasoning, and the most detailed log has nothing of it",
  async () => {
    gate = Promise.withResolvers();
    const agent = await scripted.player(async ({ nth, gone }, reply) => {
      think(reply, FIRST);
      await (nth === 1 ? gate.promise : gone);
      reply.abortConnection();
    }, SHOWN);
    const taskId = await startTask(scripted.service, agent.id, { title: "thinks twice" });
    const reader = await readStream(scripted.service, { agentId: agent.id, taskId });
    await reader.until((events) => ofType(events, "REASONING_MESSAGE_CONTENT").length > 0);
    gate.resolve();
    await reader.until((events) => ofType(events, "REASONING_MESSAGE_START").length === 2);
    await setStatus(scripted.service, taskId, "cancelled");
    expect(await reader.over).toBe("closed");
    await expectWholeStream(reader.events);
    expect(thoughtsIn(reader.events)[0]).toBe(FIRST);
    expect(ofType(reader.events, "REASONING_MESSAGE_END")).toHaveLength(2);
    const { stdout, stderr } = scripted.service.output();
    expect(stderr).toContain("model call failed");
    expect(stdout + stderr).not.toMatch(/Let me think|secret of the thought/);
  },
);

verifies("reasoning.shown.teams", "the reasoning of a team's turn names its agent and its step", async () => {
  const agents = [await scripted.player(thinker, SHOWN), await scripted.player(thinker, SHOWN)];
  const config = { agent_ids: agents.map(({ id }) => id), max_turns: 2 };
  const team = await createTeam(scripted.api, { mode: "collaboration", config });
  const { id } = await startRun(scripted.api, team.id, "Talk.");
  const events = await readToEnd(scripted.service, ofRun(id));
  await expectWholeStream(events);
  const steps = ofType(events, "STEP_STARTED").map((event) => event["stepName"]);
  const begun = ofType(events, "REASONING_MESSAGE_START");
  expect(begun).toHaveLength(6);
  expect(new Set(begun.map((event) => event["stepName"]))).toEqual(new Set(steps));
  expect(new Set(begun.map((event) => event["agentId"]))).toEqual(new Set(agents.map((agent) => agent.id)));
});
