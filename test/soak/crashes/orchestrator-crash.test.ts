import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { inTurns, saying, startScriptedAgents } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgents, ScriptedAgent } from "../../support/providers/scripted-agents.ts";
import { eventually } from "../../support/eventually.ts";
import type { Script } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import type { TestDatabase, TestProcess } from "../../support/service.ts";
import { createTeam, readRun, runIn, startRun } from "../../support/teams.ts";
import type { RunFields } from "../../support/teams.ts";
import type { ReceivedEvent } from "../../support/sse-client.ts";
import { expectWholeStream } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let database: TestDatabase;
let cast: ScriptedAgents;
let service: TestProcess;
const keys = createKeys();

beforeAll(async () => {
  cast = await startScriptedAgents();
  database = await createDatabase();
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await cast.provider.close();
  await database.drop();
});

verifies(
  ["runs.modes.crash-resume", "engine.resume.paid-once"],
  "a run killed in each call of its brain and workers repeats only the interrupted calls",
  async () => {
    const first = await player(hanging(saying("A")));
    const second = await player(hanging(saying("B")));
    const brain = await player(hanging(brainOf(first, second)));
    const run = await begin(brain, [first, second]);
    await killedIn([brain, 0]);
    await killedIn([first, 0], [second, 0]);
    await killedIn([brain, 1]);
    await killedIn([second, 1]);
    await killedIn([brain, 2]);
    await killedIn([brain, 3]);
    expectOnRecordOnce(await runIn(api(), run.id, "completed"), [first, second]);
    expect([brain, first, second].map((each) => each.calls().length)).toEqual([8, 2, 4]);
    await expectEventsOnce(run.id);
  },
);

verifies(
  ["runs.modes.crash-resume", "engine.resume.paid-once", "usage.record.once"],
  "of two concurrent workers, the one that finished before the kill is not called again",
  async () => {
    const first = await player(saying("A"));
    const second = await player(hanging(saying("B"), 0));
    const brain = await player(brainOf(first, second));
    const run = await begin(brain, [first, second]);
    await eventually("the first one's result", async () => typesOf(await readRun(api(), run.id)).includes("result"));
    await killedIn([second, 0]);
    expectOnRecordOnce(await runIn(api(), run.id, "completed"), [first, second]);
    expect([brain, first, second].map((each) => each.calls().length)).toEqual([4, 1, 3]);
    const used = await sql<{ interrupted: boolean }>(
      database.url,
      "select interrupted from usage_records where team_run_id = $1 order by interrupted",
      [run.id],
    );
    expect(used.map(({ interrupted }) => interrupted)).toEqual([...Array<boolean>(7).fill(false), true]);
    await expectEventsOnce(run.id);
  },
);

/** Gives work to both workers, accepts the first result, lets the second be revised, and answers. */
function brainOf(first: ScriptedAgent, second: ScriptedAgent): Script {
  return inTurns(
    (reply) => {
      reply.callTool("delegate_to_worker", { agent_id: first.id, instruction: `Part of ${first.id}` });
      reply.callTool("delegate_to_worker", { agent_id: second.id, instruction: `Part of ${second.id}` });
    },
    (reply) => {
      reply.callTool("accept_result", { delegation_id: "d1", score: 0.9 });
      reply.callTool("request_revision", { delegation_id: "d2", feedback: `Better, ${second.id}.` });
    },
    (reply) => reply.callTool("accept_result", { delegation_id: "d2", score: 1 }),
    (reply) => reply.callTool("final_answer", { output: "A and B" }),
  );
}

/** A script that never answers its first call: in every turn, or in one. */
function hanging(script: Script, turn?: number): Script {
  return (call, reply) => {
    const hangs = call.nth === 1 && (turn === undefined || turn === call.turn);
    return hangs ? undefined : script(call, reply);
  };
}

function expectOnRecordOnce(run: RunFields, [first, second]: readonly [ScriptedAgent, ScriptedAgent]): void {
  expect(run.output).toBe("A and B");
  expect(run["delegations"]).toMatchObject([
    { key: "d1", agent_id: first.id, status: "accepted", result: "A", score: 0.9, revisions: 0, tokens_used: 18 },
    { key: "d2", agent_id: second.id, status: "accepted", result: "B", score: 1, revisions: 1, tokens_used: 36 },
  ]);
  const expected = ["delegation", "delegation", "result", "result", "result", "revision_request", "system", "system"];
  expect(typesOf(run).toSorted()).toEqual(expected);
}

/** The log of a run is a whole stream, and what belongs to the end of a step stands there once. */
async function expectEventsOnce(runId: string): Promise<void> {
  const events = await sql<ReceivedEvent>(
    database.url,
    "select seq as id, event::text as text, event from task_log where log_id = $1 order by seq",
    [runId],
  );
  await expectWholeStream(events);
  const named = events.flatMap(({ event }) => {
    const name = event["toolCallId"] ?? event["stepName"];
    return name === undefined ? [] : [`${event.type} ${JSON.stringify(name)}`];
  });
  expect(named.length).toBeGreaterThan(0);
  expect(named.toSorted()).toEqual([...new Set(named)].toSorted());
  expect(events.at(-1)?.event.type).toBe("RUN_FINISHED");
}

function typesOf(run: RunFields): string[] {
  return z
    .array(z.looseObject({ message_type: z.string() }))
    .parse(run["messages"])
    .map((each) => each.message_type);
}

async function begin(brain: ScriptedAgent, workers: readonly ScriptedAgent[]): Promise<RunFields> {
  const config = { brain_agent_id: brain.id, worker_agent_ids: workers.map(({ id }) => id) };
  const team = await createTeam(api(), { mode: "orchestrator", config });
  return startRun(api(), team.id);
}

/** Kills the service when all of these calls are in progress, and starts it again. */
async function killedIn(...calls: readonly (readonly [ScriptedAgent, number])[]): Promise<void> {
  for (const [by, turn] of calls) {
    await eventually(`a call of turn ${turn}`, () => by.calls().find((call) => call.turn === turn));
  }
  await service.kill();
  service = await start();
}

function player(script: Script): Promise<ScriptedAgent> {
  return cast.player(api(), script);
}

function api(): Api {
  return apiOf(service, keys.api);
}

function start(): Promise<TestProcess> {
  return startProcess({
    databaseUrl: database.url,
    keys,
    env: { OPENAI_BASE_URL: cast.provider.baseUrl, OPENAI_API_KEY: "test-key" },
  });
}
