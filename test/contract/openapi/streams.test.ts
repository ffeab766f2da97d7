import { afterAll, beforeAll, expect } from "vitest";
import { createClient } from "#client/index.ts";
import type { MusterClient, Schemas, StreamEvent } from "#client/index.ts";
import { readDescription } from "../../support/checks/description.ts";
import type { Described } from "../../support/checks/description.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { readLive } from "../../support/clients/live-reader.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK } from "../../support/work.ts";

const TOOLS = ["current_time", "read_url", "request_choice", "request_approval", "request_form"];

let provider: ScriptedProvider;
let service: SharedService;
let muster: MusterClient;
let described: Described;
let agentId: string;
/** An agent whose first model call is retried. */
let retryingId: string;

beforeAll(async () => {
  provider = await startScriptedProvider(({ nth }, reply) => {
    if (nth === 1) reply.refuse(503, "Overloaded.");
    else reply.say("Done.");
    reply.finish();
  });
  service = await useProvider(provider);
  muster = createClient({ url: service.url, key: service.keys.api });
  described = await readDescription(service);
  agentId = (await muster.createAgent({ name: "Streamed", model: "demo", tools: TOOLS })).id;
  retryingId = (await muster.createAgent({ name: "Retrying", model: "gpt-4o" })).id;
});
afterAll(() => provider.close());

/** Follows a task to its end, answering the questions that it asks. */
async function eventsOf(
  description: string,
  answer?: Partial<Schemas["AnswerTaskRequest"]>,
  of = agentId,
): Promise<StreamEvent[]> {
  const { id } = await muster.createTask({ title: "Streamed", description, assigned_agent_id: of });
  const events: StreamEvent[] = [];
  for await (const { event } of muster.streamTask({ agentId: of, taskId: id })) {
    events.push(event);
    if (event.type !== "INTERACTION_REQUEST") continue;
    if (answer === undefined) await muster.updateTask({ id }, { status: "cancelled" });
    else await muster.answerTask({ id }, { ...answer, interactionId: event.interactionId });
  }
  return events;
}

async function eventsOfTeam(): Promise<StreamEvent[]> {
  const config = { steps: [{ agent_id: agentId }, { agent_id: agentId }] };
  const team = await muster.createTeam({ name: "Streamed", mode: "pipeline", config });
  const run = await muster.startTeamRun({ team_id: team.id, input_task: QUICK });
  const events: StreamEvent[] = [];
  for await (const { event } of muster.streamTeamRun({ runId: run.id })) events.push(event);
  return events;
}

/** Which of the values are not as a schema of the document says. */
function invalidValues(schema: string, values: readonly unknown[]): readonly unknown[] {
  const validate = described.ajv.compile({ $ref: `openapi#/components/schemas/${schema}` });
  return values.flatMap((value) => (validate(value) ? [] : [{ value, errors: validate.errors }]));
}

verifies(
  "openapi.streams",
  "the events of runs are those of the document, which has no other types",
  async () => {
    const choices = [{ id: "a", label: "A" }];
    const fields = [{ key: "name", label: "Name", type: "text" }];
    const all = [
      await eventsOf(callOf("current_time", {})),
      await eventsOf(callOf("read_url", { url: "http://127.0.0.1:1/" })),
      await eventsOf(callOf("request_choice", { title: "Which?", choices }), { selectedOptionId: "a" }),
      await eventsOf(callOf("request_form", { title: "Who?", fields }), { values: { name: "Ada" } }),
      await eventsOf(callOf("request_approval", { title: "Go?" })),
      await eventsOf(callOf("request_approval", { title: "Go?", timeoutMs: 1_000 }), { approved: true }),
      await eventsOf(FAILING),
      await eventsOf("Is retried.", undefined, retryingId),
      await eventsOfTeam(),
    ].flat();
    expect(invalidValues("StreamEvent", all)).toEqual([]);
    expect(new Set(all.map(({ type }) => type))).toEqual(
      new Set([
        "RUN_STARTED",
        "STEP_STARTED",
        "STEP_FINISHED",
        "RUN_FINISHED",
        "RUN_ERROR",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "INTERACTION_REQUEST",
        "INTERACTION_RESPONSE",
        "CUSTOM",
      ]),
    );
    expect(invalidValues("StreamEvent", [{ type: "SOMETHING", timestamp: 1 }])).toHaveLength(1);
  },
  { tags: "slow" },
);

verifies("openapi.streams", "the messages of the live stream are those of the document", async () => {
  const headers = { "x-api-key": service.keys.api };
  const waiterId = (await muster.createAgent({ name: "Waiter", model: "demo", tools: ["wait"] })).id;
  const task = await muster.createTask({ title: "Live", description: ENDLESS, assigned_agent_id: waiterId });
  const live = await readLive(service.url, headers, `?follow=${task.id}@0`);
  await muster.updateTask({ id: task.id }, { status: "cancelled" });
  const received = () => live.frames.map(({ event, data }) => `${event} ${JSON.stringify(data)}`).join("\n");
  await eventually("the end of the run, and a change", () =>
    Promise.resolve(/^changed /m.test(received()) && /RUN_ERROR/.test(received())),
  );
  live.close();
  const schemaOf = (event = "run") =>
    ({ hello: "LiveHello", changed: "LiveChanges", resync: "LiveResync" })[event] ?? "LiveRunEvent";
  expect(live.frames.flatMap(({ event, data }) => invalidValues(schemaOf(event), [data]))).toEqual([]);
  expect(
    invalidValues(
      "LiveMessage",
      live.frames.map(({ data }) => data),
    ),
  ).toEqual([]);
});
