import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf } from "../../support/api.ts";
import { inTurns, saying, toolResults, startScriptedService } from "../../support/providers/scripted-agents.ts";
import type { Move, ScriptedAgent, ScriptedService } from "../../support/providers/scripted-agents.ts";
import { eventually } from "../../support/eventually.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import type { RunFields } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, readTask } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const TOKENS_PER_CALL = 18;

let scene: ScriptedService;

beforeAll(async () => {
  scene = await startScriptedService();
});
afterAll(() => scene.stop());

/** A brain of these moves, with these workers. */
interface Orchestra {
  readonly moves: readonly Move[];
  readonly workers: readonly ScriptedAgent[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly brainFields?: Readonly<Record<string, unknown>>;
}

/** Starts a run of a new team. */
async function play({ moves, workers, config, brainFields }: Orchestra) {
  const brain = await scene.player(inTurns(...moves), brainFields);
  const ids = { brain_agent_id: brain.id, worker_agent_ids: workers.map(({ id }) => id) };
  const team = await createTeam(scene.api, { mode: "orchestrator", config: { ...ids, ...config } });
  return { brain, teamId: team.id, run: await startRun(scene.api, team.id, "Write about rain.") };
}

/** Starts a run and waits until it has completed. */
async function playToEnd(orchestra: Orchestra): Promise<{ readonly brain: ScriptedAgent; readonly run: RunFields }> {
  const { brain, run } = await play(orchestra);
  return { brain, run: await runIn(scene.api, run.id, "completed") };
}

const delegate =
  ({ id }: Pick<ScriptedAgent, "id">, instruction: string): Move =>
  (reply) =>
    reply.callTool("delegate_to_worker", { agent_id: id, instruction });
const revise =
  (name: string, feedback: string): Move =>
  (reply) =>
    reply.callTool("request_revision", { delegation_id: name, feedback });
const accept =
  (name: string, score: number): Move =>
  (reply) =>
    reply.callTool("accept_result", { delegation_id: name, score });
const finish =
  (output: string): Move =>
  (reply) =>
    reply.callTool("final_answer", { output });
const both =
  (...moves: readonly Move[]): Move =>
  async (reply, call) => {
    for (const move of moves) await move(reply, call);
  };

verifies(
  [
    "runs.orchestrator.delegate",
    "runs.orchestrator.accept",
    "runs.orchestrator.final-answer",
    "runs.orchestrator.delegations-readable",
  ],
  "a brain delegates, accepts and answers; the run shows the delegation and what was said",
  async () => {
    const worker = await scene.player(saying("It rains."));
    const moves = [delegate(worker, "Describe rain."), accept("d1", 0.9), finish("Rain, then.")];
    const { brain, run } = await playToEnd({ moves, workers: [worker] });
    expect(run).toMatchObject({ output: "Rain, then.", error: null });
    expect(run["delegations"]).toEqual([
      {
        id: expect.stringMatching(UUID),
        run_id: run.id,
        key: "d1",
        agent_id: worker.id,
        instruction: "Describe rain.",
        status: "accepted",
        result: "It rains.",
        error: null,
        score: 0.9,
        revisions: 0,
        tokens_used: TOKENS_PER_CALL,
        created_at: expect.stringMatching(TIME),
        updated_at: expect.stringMatching(TIME),
      },
    ]);
    const [toWorker, toBrain] = [
      { sender_agent_id: brain.id, receiver_agent_id: worker.id },
      { sender_agent_id: worker.id, receiver_agent_id: brain.id },
    ];
    expect(run["messages"]).toMatchObject([
      { ...toWorker, message_type: "delegation", content: "Describe rain.", tokens_used: 0 },
      { ...toBrain, message_type: "result", content: "It rains.", tokens_used: TOKENS_PER_CALL },
      { ...toWorker, message_type: "system", metadata: { delegation: "d1", score: 0.9 } },
    ]);
    expect(worker.calls()[0]?.body.messages.slice(1)).toEqual([{ role: "user", content: "Describe rain." }]);
    expect(toolResults(brain.calls()[1])).toEqual([expect.stringContaining("It rains.")]);
    expect(brain.calls()).toHaveLength(3);
  },
);

verifies(
  "runs.orchestrator.delegate-parallel",
  "the delegations of one turn run at the same time, and come back in the order of their calls",
  async () => {
    const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const all = Promise.all(arrived.map(({ promise }) => promise));
    const workers = await Promise.all(
      arrived.map(({ resolve }, index) =>
        scene.player(
          inTurns(async (reply) => {
            resolve();
            await all;
            reply.say(`part ${index}`);
          }),
        ),
      ),
    );
    const moves = [both(...workers.map((worker, index) => delegate(worker, `Part ${index}`))), finish("All")];
    const { brain, run } = await playToEnd({ moves, workers });
    const results = toolResults(brain.calls()[1]);
    expect(results).toEqual([0, 1, 2].map((index) => `delegation_id: d${index + 1}\n\npart ${index}`));
    expect(run["delegations"]).toMatchObject(workers.map(({ id }) => ({ agent_id: id, status: "completed" })));
  },
);

verifies(
  ["runs.orchestrator.revision", "runs.orchestrator.revision-depth"],
  "a worker gets its work back with the feedback, as often as the team allows",
  async () => {
    const worker = await scene.player(
      inTurns(
        (reply) => reply.say("Draft"),
        (reply) => reply.say("Better"),
      ),
    );
    const moves = [delegate(worker, "Write."), revise("d1", "Longer."), revise("d1", "Longer still."), finish("Book")];
    const config = { max_delegation_depth: 1 };
    const { brain, run } = await playToEnd({ moves, workers: [worker], config });
    expect(worker.calls()).toHaveLength(2);
    expect(worker.calls()[1]?.body.messages.slice(1)).toEqual([
      { role: "user", content: "Write." },
      { role: "assistant", content: "Draft" },
      { role: "user", content: "Longer." },
    ]);
    expect(toolResults(brain.calls()[3])).toEqual([
      expect.stringContaining("Draft"),
      expect.stringContaining("Better"),
      expect.stringContaining("revised 1 times"),
    ]);
    expect(run["delegations"]).toMatchObject([
      { result: "Better", revisions: 1, status: "completed", tokens_used: 2 * TOKENS_PER_CALL },
    ]);
    expect(run["messages"]).toMatchObject(
      ["delegation", "result", "revision_request", "result"].map((message_type) => ({ message_type })),
    );
  },
);

verifies(
  "runs.orchestrator.quality-threshold",
  "a score below the threshold does not accept a result, unless its revisions are used up",
  async () => {
    const worker = await scene.player(saying("Meh"));
    const config = { quality_threshold: 0.6, max_delegation_depth: 1 };
    const moves = [
      delegate(worker, "Write."),
      accept("d1", 0.59),
      revise("d1", "Better."),
      accept("d1", 0.5),
      accept("d1", 0.9),
      finish("Fine"),
    ];
    const { brain, run } = await playToEnd({ moves, workers: [worker], config });
    const [, refused, , accepted, again] = toolResults(brain.calls()[5]);
    expect(refused).toContain("below the threshold of 0.6");
    expect(accepted).toContain("accepted with the score 0.5");
    expect(again).toContain("accepted already");
    expect(run["delegations"]).toMatchObject([{ status: "accepted", score: 0.5, revisions: 1 }]);
    expect(run["messages"]).toEqual(
      expect.arrayContaining([expect.objectContaining({ message_type: "rejection", metadata: expect.anything() })]),
    );
  },
);

verifies(
  "runs.orchestrator.workers-only",
  "an agent that is not a worker of the team gets no work and no delegation",
  async () => {
    const [worker, stranger] = [await scene.player(saying("Mine")), await scene.player(saying("Foreign"))];
    const moves = [
      delegate(stranger, "Work."),
      both(revise("d1", "More."), accept("d7", 1)),
      delegate({ id: worker.id.toUpperCase() }, "Work."),
    ];
    const { brain, run } = await playToEnd({ moves, workers: [worker] });
    const [foreign, unknown, unknownToo] = toolResults(brain.calls()[3]);
    expect(foreign).toContain(worker.id);
    expect(unknown).toContain("no delegation");
    expect(unknownToo).toContain("d7");
    expect(stranger.calls()).toHaveLength(0);
    expect(run["delegations"]).toMatchObject([{ key: "d1", agent_id: worker.id }]);
  },
);

verifies("runs.orchestrator.ping-pong", "the same work is given to the same worker no more than twice", async () => {
  const [worker, other] = [await scene.player(saying("Pong")), await scene.player(saying("Else"))];
  const moves = [
    delegate(worker, "Ping."),
    delegate(worker, " ping. "),
    both(delegate(worker, "PING."), delegate(other, "Ping."), delegate(worker, "Ping, but louder.")),
  ];
  const { brain, run } = await playToEnd({ moves, workers: [worker, other] });
  expect(toolResults(brain.calls()[3])[2]).toContain("this very work 2 times");
  expect(worker.calls()).toHaveLength(3);
  expect(other.calls()).toHaveLength(1);
  expect(run["delegations"]).toHaveLength(4);
});

verifies("engine.loop.repeats", "a brain that repeats the same call is stopped", async () => {
  const worker = await scene.player(saying("Pong"));
  const moves = Array.from({ length: 10 }, () => delegate(worker, "Ping."));
  const { run } = await play({ moves, workers: [worker] });
  expect((await runIn(scene.api, run.id, "failed")).error).toContain("delegate_to_worker with the same arguments");
  expect(worker.calls()).toHaveLength(2);
});

verifies(
  ["runs.orchestrator.own-prompt-kept", "runs.modes.voice-and-tools", "voice.every-mode"],
  "brain and workers keep their own prompt, voice, tools and limits; the brain knows its workers",
  async () => {
    const fields = (name: string) => ({
      name,
      system_prompt: `You are the ${name}.`,
      voice_profile: { tone: "Formal", custom_instructions: `Like a ${name}` },
      max_tokens: name.length,
      tools: ["current_time"],
    });
    const worker = await scene.player(saying("It rains."), fields("poet"));
    const moves = [delegate(worker, "Describe rain."), finish("Rain")];
    const { brain } = await playToEnd({ moves, workers: [worker], brainFields: fields("editor") });
    for (const [player, name] of [
      [brain, "editor"],
      [worker, "poet"],
    ] as const) {
      const body = player.calls()[0]?.body;
      const system = body?.messages[0]?.content ?? "";
      expect(system).toContain(`You are the ${name}.`);
      expect(system).toMatch(new RegExp(`## Voice & Tone[^]*Like a ${name}`));
      expect(body).toMatchObject({ max_tokens: name.length });
      expect(JSON.stringify(body?.["tools"])).toContain("current_time");
    }
    expect(JSON.stringify(worker.calls()[0]?.body["tools"])).not.toContain("final_answer");
    const told = brain.calls()[0]?.body.messages.at(-1)?.content;
    for (const part of ["Write about rain.", worker.id, "poet", "You are the poet."]) expect(told).toContain(part);
  },
);

verifies(
  "runs.orchestrator.plain-answer",
  "a brain that answers in plain text ends the run with that answer",
  async () => {
    const worker = await scene.player(saying("unused"));
    const { run } = await playToEnd({ moves: [(reply) => reply.say("Just so.")], workers: [worker] });
    expect(run).toMatchObject({ output: "Just so.", messages: [], delegations: [] });
  },
);

verifies("engine.text.storable", "a brain's final answer may contain characters that cannot be stored", async () => {
  const worker = await scene.player(saying("unused"));
  const { run } = await playToEnd({ moves: [finish("a\0b \uD83D")], workers: [worker] });
  expect(run.output).toBe("a\uFFFDb \uFFFD");
});

verifies("runs.modes.output-template", "the output is rendered with the brain's output template", async () => {
  const worker = await scene.player(saying("unused"));
  const brainFields = {
    name: "Chief",
    output_template: { type: "Markdown", body: "# {{agent_name}}\n{{task_result}}" },
  };
  const { run } = await playToEnd({ moves: [finish("Done.")], workers: [worker], brainFields });
  expect(run.output).toBe("# Chief\nDone.");
});

verifies(
  "runs.orchestrator.max-iterations",
  "a brain is warned before its last model call, and fails the run if it does not end",
  async () => {
    const worker = await scene.player(saying("More"));
    const moves = [1, 2, 3].map((number) => delegate(worker, `Work ${number}`));
    const { brain, run } = await play({ moves, workers: [worker], config: { max_iterations: 2 } });
    expect((await runIn(scene.api, run.id, "failed")).error).toContain("more than 2 model calls");
    expect(brain.calls()).toHaveLength(2);
    expect(brain.calls()[1]?.body.messages.at(-1)?.content).toContain("last of 2 model calls");
  },
);

verifies(
  ["runs.orchestrator.delegate", "runs.modes.usage-per-step"],
  "a run waits with a worker that waits for a person, and asks no other worker again after the answer",
  async () => {
    const asking = await scene.player(
      inTurns((reply) => reply.callTool("request_approval", { title: "May I?" })),
      { tools: ["request_approval"] },
    );
    const other = await scene.player(saying("Other"));
    const moves = [both(delegate(asking, "Ask first."), delegate(other, "Work.")), accept("d2", 1), finish("Both")];
    const { brain, run } = await play({ moves, workers: [asking, other] });
    const waiting = await runIn(scene.api, run.id, "waiting_for_input");
    expect(waiting["delegations"]).toMatchObject([{ status: "running" }, { status: "completed", result: "Other" }]);
    const { interactionId } = z.looseObject({ interactionId: z.string() }).parse(waiting["interaction"]);
    const answer = await consoleOf(scene.service, scene.service.keys.api).post(`/runs/${run.id}/answer`, {
      interactionId,
      approved: true,
    });
    expect(answer.status).toBe(200);
    const ended = await runIn(scene.api, run.id, "completed");
    expect(ended["delegations"]).toMatchObject([
      { status: "completed", result: "done" },
      { status: "accepted", result: "Other" },
    ]);
    expect(ended["messages"]).toHaveLength(5);
    expect([brain, asking, other].map((each) => each.calls().length)).toEqual([3, 2, 1]);
  },
);

verifies(
  "runs.orchestrator.worker-failure",
  "the brain handles a failed worker, and the others' work stays",
  async () => {
    const broken = await scene.player((_call, reply) => reply.refuse(400, "no such thing"));
    const sound = await scene.player(saying("Sound"));
    const moves = [both(delegate(broken, "Work."), delegate(sound, "Work.")), accept("d1", 1)];
    const { brain, run } = await playToEnd({ moves, workers: [broken, sound] });
    const [failed, worked, unaccepted] = toolResults(brain.calls()[2]);
    expect(failed).toMatch(/d1 failed: .*no such thing/);
    expect(worked).toContain("Sound");
    expect(unaccepted).toContain("d1 has failed");
    expect(run["delegations"]).toMatchObject([
      { status: "failed", result: null, error: expect.stringContaining("no such thing") },
      { status: "completed", result: "Sound", error: null },
    ]);
    expect(run["messages"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ message_type: "system", sender_agent_id: broken.id, receiver_agent_id: brain.id }),
      ]),
    );
  },
);

verifies(
  "runs.modes.usage-per-step",
  "each model call of brain and workers is a record of the run's usage",
  async () => {
    const workers = [await scene.player(saying("A")), await scene.player(saying("B"))];
    const moves = [both(...workers.map((worker) => delegate(worker, "Work."))), finish("AB")];
    const { brain, run } = await playToEnd({ moves, workers });
    expect(run["usage"]).toMatchObject({ prompt_tokens: 44, completion_tokens: 28, total_tokens: 4 * TOKENS_PER_CALL });
    const records = await sql<{ agent_id: string; step: number }>(
      scene.service.databaseUrl,
      "select agent_id, step from usage_records where team_run_id = $1 order by agent_id, step",
      [run.id],
    );
    const expected = [brain.id, brain.id, ...workers.map(({ id }) => id)].toSorted();
    expect(records.map((record) => record.agent_id)).toEqual(expected);
  },
);

verifies(
  ["runs.modes.cancel", "engine.cancel.aborts-child-runs"],
  "cancelling a run stops all its branches immediately",
  async () => {
    const workers = await Promise.all([1, 2, 3].map(() => scene.player(() => {})));
    const { run, brain } = await play({
      moves: [both(...workers.map((worker) => delegate(worker, "Hang.")))],
      workers,
    });
    const calls = await Promise.all(workers.map((worker) => eventually("the worker's call", () => worker.calls()[0])));
    expect(fieldsOf(await scene.api.patch(`/api-runs?id=${run.id}`, { status: "cancelled" }))["status"]).toBe(
      "cancelled",
    );
    await Promise.all(calls.map(({ gone }) => gone));
    expect(brain.calls()).toHaveLength(1);
    expect(await runIn(scene.api, run.id, "cancelled")).toMatchObject({ output: null });
  },
);

verifies("runs.modes.messages", "a task that is given to such a team takes over its output", async () => {
  const worker = await scene.player(saying("It rains."));
  const { teamId } = await play({ moves: [delegate(worker, "Describe rain."), finish("Rain")], workers: [worker] });
  const task = await createTask(scene.api, { title: "Rain", assigned_team_id: teamId });
  const ended = await eventually("the task's end", async () => {
    const now = await readTask(scene.api, task.id);
    return now.status === "completed" && now;
  });
  expect(ended.result).toBe("Rain");
  const run = await runIn(scene.api, String(ended["team_run_id"]), "completed");
  expect(run["messages"]).toMatchObject([{ message_type: "delegation" }, { message_type: "result" }]);
});
