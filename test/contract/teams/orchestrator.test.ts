import { beforeAll, expect } from "vitest";
import { inTurns, saying, toolResults } from "../../support/providers/scripted-agents.ts";
import { runIn } from "../../support/teams.ts";
import {
  TOKENS_PER_CALL,
  accept,
  both,
  delegate,
  finish,
  revise,
  openOrchestraScene,
} from "../../support/teams/orchestra.ts";
import type { OrchestraScene } from "../../support/teams/orchestra.ts";
import { verifies } from "../../support/verifies.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

let scene: OrchestraScene;

beforeAll(async () => {
  scene = await openOrchestraScene();
});

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
    const { brain, run } = await scene.playToEnd({ moves, workers: [worker] });
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
    const { brain, run } = await scene.playToEnd({ moves, workers });
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
    const { brain, run } = await scene.playToEnd({ moves, workers: [worker], config });
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
    const { brain, run } = await scene.playToEnd({ moves, workers: [worker], config });
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
    const { brain, run } = await scene.playToEnd({ moves, workers: [worker] });
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
  const { brain, run } = await scene.playToEnd({ moves, workers: [worker, other] });
  expect(toolResults(brain.calls()[3])[2]).toContain("this very work 2 times");
  expect(worker.calls()).toHaveLength(3);
  expect(other.calls()).toHaveLength(1);
  expect(run["delegations"]).toHaveLength(4);
});

verifies("engine.loop.repeats", "a brain that repeats the same call is stopped", async () => {
  const worker = await scene.player(saying("Pong"));
  const moves = Array.from({ length: 10 }, () => delegate(worker, "Ping."));
  const { run } = await scene.play({ moves, workers: [worker] });
  expect((await runIn(scene.api, run.id, "failed")).error).toContain("delegate_to_worker with the same arguments");
  expect(worker.calls()).toHaveLength(2);
});
