import { afterAll, beforeAll, expect } from "vitest";
import { request } from "undici";
import { z } from "zod";
import { consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import { inTurns, saying, startScriptedService } from "../../support/providers/scripted-agents.ts";
import type { Move, ScriptedService } from "../../support/providers/scripted-agents.ts";
import { eventually } from "../../support/eventually.ts";
import { askRun, outline, stepOf, stepsOf, stepsPageOf } from "../../support/run-steps.ts";
import { setStatus } from "../../support/runs.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, readTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const KEY = "sk-secret-of-this-test-0002";
const COST = 0.0000975;

let scene: ScriptedService;

beforeAll(async () => {
  scene = await startScriptedService({ OPENAI_API_KEY: KEY });
});
afterAll(() => scene.stop());

const providerMessage = z.looseObject({ role: z.string(), content: z.unknown() });

verifies(
  ["run-page.head.row", "run-page.steps.order", "run-page.steps.changed", "run-page.step.prompt", "run-page.step.tool"],
  "an agent's task shows its calls in order, and its prompts are the texts that the provider got",
  async () => {
    const player = await scene.player(
      inTurns((reply) => reply.callTool("current_time", { time_zone: "Europe/Paris" }, "call_1")),
      { name: "Clockmaker", tools: ["current_time"] },
    );
    const { id } = await createTask(scene.api, { title: "What time is it?", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "completed");
    const steps = await stepsOf(scene.service, id);
    expect(outline(steps)).toEqual(["model gpt-4o completed", "tool current_time completed", "model gpt-4o completed"]);
    expect(steps.map(({ key }) => key)).toEqual(["model:0", "tool:call_1", "model:1"]);
    expect(steps[0]).toMatchObject({ prompt_tokens: 11, completion_tokens: 7, cost_usd: COST });
    const [, asked, last] = steps;
    const changed = await stepsPageOf(scene.service, id, `?ended_since=${last?.ended_at}`);
    expect(changed).toMatchObject({ steps: [last], places: [2], count: 3, next: null });
    const [, , whole] = await stepsOf(scene.service, id, "?digests=true");
    const compared = await stepsPageOf(scene.service, id, `?digests=true&ended_since=${last?.ended_at}`);
    expect(compared.steps).toEqual([{ ...last, digest: whole?.digest }]);
    expect(whole?.digest).toEqual(expect.any(String));
    const two = await stepsPageOf(scene.service, id, `?ended_since=${asked?.ended_at}&limit=1`);
    expect(two).toMatchObject({ steps: [asked], places: [1], count: 3, next: asked?.key });
    for (const { started_at = 0, first_token_at = started_at, ended_at = 0 } of steps) {
      expect(started_at).toBeGreaterThan(0);
      expect(first_token_at).toBeGreaterThanOrEqual(started_at);
      expect(ended_at).toBeGreaterThanOrEqual(first_token_at);
    }

    const [first, second] = await Promise.all(["model:0", "model:1"].map((key) => stepOf(scene.service, id, key)));
    for (const [index, step] of [first, second].entries()) {
      const got = player.calls()[index]?.body;
      const sent = step?.request?.messages.map((message) => ("output" in message ? message.output : message.content));
      expect(sent).toEqual(
        z
          .array(providerMessage)
          .parse(got?.messages)
          .map(({ content }) => content ?? ""),
      );
      expect(step?.request?.tools.map(({ name }) => name)).toEqual(["current_time"]);
      expect(step?.request?.parameters).toMatchObject({ model: got?.model, temperature: got?.["temperature"] });
    }
    expect(first?.request?.kept).toBe(0);
    expect(second?.request).toMatchObject({ kept: 2, messages: { length: 4 } });
    expect(second?.reply).toMatchObject({ text: "done", tool_calls: [], usage: { promptTokens: 11 } });
    const tool = await stepOf(scene.service, id, "tool:call_1");
    expect(tool).toMatchObject({ arguments: '{"time_zone":"Europe/Paris"}', idempotency_key: `${id}:1:call_1` });
    expect(tool.result).toContain("Paris");

    expect(fieldsOf(await askRun(scene.service, id))).toMatchObject({
      id,
      kind: "task",
      log_id: id,
      title: "What time is it?",
      status: "completed",
      agent: { id: player.id, name: "Clockmaker" },
      team: null,
      attempt: 1,
      tokens: 36,
      result: "done",
      error_code: null,
      details: "kept",
      attempts: [{ n: 1, status: "completed", tokens: 36, error_code: null }],
      agents: [{ id: player.id, name: "Clockmaker", version: 1, current_version: 1 }],
      executions: [{ n: 1, end: "finished", process: expect.stringContaining(":") }],
      messages: [],
      files: [],
    });
  },
);

verifies("run-page.steps.order", "calls of one reply are listed as the model asked for them", async () => {
  const asked = Array.from({ length: 11 }, (_, n) => `call_${n + 1}`);
  const player = await scene.player(
    inTurns((reply) => asked.forEach((call, n) => reply.callTool("current_time", { time_zone: `Etc/GMT+${n}` }, call))),
    { tools: ["current_time"] },
  );
  const { id } = await createTask(scene.api, { title: "Eleven times", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "completed");
  // Without its log the order is that of the records.
  for (const change of [
    "update run_steps set started_at = created_at where run_id",
    "delete from task_events where log_id",
  ]) {
    await sql(scene.service.databaseUrl, `${change} = $1`, [id]);
  }
  const calls = (await stepsOf(scene.service, id)).filter(({ kind }) => kind === "tool");
  expect(calls.map(({ key }) => key)).toEqual(asked.map((call) => `tool:${call}`));
});

verifies(
  [
    "run-page.steps.live",
    "run-page.steps.changed",
    "run-page.step.answered-by",
    "run-page.head.executions",
    "run-page.events.resumed",
  ],
  "the steps show work in progress, then the open question, then the answer with its author",
  async () => {
    const gate = Promise.withResolvers<void>();
    const player = await scene.player(
      inTurns(async (reply) => {
        await gate.promise;
        reply.callTool("request_input", { title: "Which colour?" }, "ask");
      }),
      { tools: ["request_input"] },
    );
    const { id } = await createTask(scene.api, { title: "Paint it", assigned_agent_id: player.id });
    await eventually("the call", async () => player.calls().length === 1);
    await taskIn(scene.api, id, "running");
    expect(outline(await stepsOf(scene.service, id))).toEqual(["model  running"]);
    expect(fieldsOf(await askRun(scene.service, id))).toMatchObject({
      executions: [{ n: 1, to: null, end: null }],
      agents: [{ id: player.id, version: 1, current_version: 1 }],
    });
    gate.resolve();
    await taskIn(scene.api, id, "waiting_for_input");
    expect(outline(await stepsOf(scene.service, id))).toEqual([
      "model gpt-4o completed",
      "tool request_input waiting",
      "question Which colour? waiting",
    ]);
    const open = await stepsPageOf(scene.service, id, `?ended_since=${Date.now() + 60_000}`);
    expect(outline(open.steps)).toEqual(["tool request_input waiting", "question Which colour? waiting"]);
    expect(open).toMatchObject({ places: [1, 2], count: 3 });
    const { question, question_due: due } = fieldsOf(await askRun(scene.service, id));
    const { interactionId } = z.looseObject({ interactionId: z.string() }).parse(question);
    expect(Date.parse(z.string().parse(due))).toBeGreaterThan(Date.now());
    const answer = await consoleOf(scene.service, scene.service.keys.api).post(`/runs/${id}/answer`, {
      interactionId,
      text: "red",
    });
    expect(answer.status).toBe(200);
    await taskIn(scene.api, id, "completed");
    const steps = await stepsOf(scene.service, id);
    expect(outline(steps)).toEqual([
      "model gpt-4o completed",
      "tool request_input completed",
      "question Which colour? completed",
      "model gpt-4o completed",
    ]);
    expect(await stepOf(scene.service, id, steps[2]?.key ?? "")).toMatchObject({
      kind: "question",
      question: { kind: "prompt", prompt: { title: "Which colour?" } },
      answer: { text: "red" },
      answered_by: { id: expect.any(String), key_id: expect.any(String), name: expect.any(String) },
      answered_via: "console",
      answered_at: expect.any(Number),
    });
    expect(fieldsOf(await askRun(scene.service, id))).toMatchObject({
      executions: [
        { n: 1, end: "waiting" },
        { n: 2, end: "finished" },
      ],
    });
    const events = await readToEnd(scene.service, { agentId: player.id, taskId: id });
    expect(ofType(events, "CUSTOM")).toEqual([]);
  },
);

verifies(
  "run-page.head.attempts",
  "an earlier attempt is shown from its log, the newest one from the task",
  async () => {
    const player = await scene.player((call, reply) => {
      if (call.nth === 1) return reply.refuse(400, "No such thing.");
      reply.say("better");
      reply.finish();
    });
    const { id } = await createTask(scene.api, { title: "Try twice", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "failed");
    await setStatus(scene.service, id, "dispatched");
    await eventually("the second attempt", async () => (await readTask(scene.api, id)).status === "completed");
    const attempts = [
      { n: 1, status: "failed", error_code: "MODEL_ERROR" },
      { n: 2, status: "completed", error_code: null },
    ];
    expect(fieldsOf(await askRun(scene.service, id))).toMatchObject({ attempt: 2, status: "completed", attempts });
    expect(fieldsOf(await askRun(scene.service, id, "?attempt=1"))).toMatchObject({
      attempt: 1,
      status: "failed",
      error_code: "MODEL_ERROR",
      error: expect.stringContaining("No such thing."),
      result: null,
      attempts,
    });
    const [step] = await stepsOf(scene.service, id, "?attempt=1");
    expect(step).toMatchObject({ key: "model:0", status: "failed", error_code: "MODEL_ERROR" });
    const failed = await askRun(scene.service, id, "/step?attempt=1&key=model:0");
    expect(failed.body).toMatchObject({
      reply: null,
      error: expect.stringContaining("No such thing."),
      attempts: [{ status: 400, message: "No such thing.", waited_ms: 0 }],
      exchanges: [{ try: 0, response: expect.stringContaining("No such thing.") }],
    });
    expect(failed.text).not.toContain(KEY);
  },
);

verifies("run-page.errors.refused", "invalid ids and queries are rejected with the reason", async () => {
  const player = await scene.player(saying("hello"));
  const { id } = await createTask(scene.api, { title: "Be found", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "completed");
  const missing = [
    UNKNOWN,
    `${UNKNOWN}/steps`,
    `${UNKNOWN}/step?key=model:0`,
    `${id}?attempt=2`,
    `${id}/steps?attempt=9`,
  ];
  const keys = ["model:9", "../../etc", "a'; drop table run_steps; --", "step:1:attempt:0/model:2", "%00", "💥"];
  const asked = [...missing, ...keys.map((key) => `${id}/step?key=${encodeURIComponent(key)}`)];
  for (const path of asked) {
    const answer = await askRun(scene.service, path);
    expect([path, answer.status]).toEqual([path, 404]);
  }
  const bad = [
    ["/step", "key"],
    ["/step?key=", "key"],
    [`/step?key=${"x".repeat(1_001)}`, "key"],
    ["/step?key=%00", ""],
    ["/steps?limit=0", "limit"],
    ["/steps?limit=1001", "limit"],
    ["/steps?attempt=0", "attempt"],
    ["/steps?attempt=99999999999", "attempt"],
    ["?attempt=x", "attempt"],
  ] as const;
  for (const [path, at] of bad) {
    const answer = refusal(await askRun(scene.service, id, path));
    expect([path, answer.status, at === "" ? [] : answer.paths]).toEqual([path, 400, at === "" ? [] : [at]]);
  }
  expect(refusal(await askRun(scene.service, id, "/steps?after=nothing"))).toMatchObject({ status: 400 });
});

verifies(
  "run-page.steps.small",
  "a run of 500 steps is one page of at most 250 bytes a step, and can be read in parts",
  async () => {
    const many = 50;
    const player = await scene.player(
      inTurns(
        ...Array.from({ length: 10 }, (): Move => (reply, { turn }) => {
          for (let call = 0; call < many; call++) {
            reply.callTool("current_time", { time_zone: "Etc/UTC", n: turn * many + call }, `call_${turn}_${call}`);
          }
        }),
      ),
      { tools: ["current_time"] },
    );
    const { id } = await createTask(scene.api, { title: "Many", assigned_agent_id: player.id });
    const isOver = async () => ["completed", "failed"].includes((await readTask(scene.api, id)).status);
    await eventually("the end", isOver, 120_000);
    const { steps, next } = await stepsPageOf(scene.service, id);
    expect(steps.length).toBe(10 * (many + 1) + 1);
    expect(next).toBeNull();
    expect(JSON.stringify(steps).length / steps.length).toBeLessThanOrEqual(250);
    const zipped = await request(`${scene.service.url}/console/api/runs/${id}/steps`, {
      headers: { "X-API-Key": scene.service.keys.api, "Accept-Encoding": "gzip" },
    });
    expect(zipped.headers["content-encoding"]).toBe("gzip");

    expect((await zipped.body.bytes()).length / steps.length).toBeLessThanOrEqual(30);
    const first = await stepsPageOf(scene.service, id, "?limit=10");
    const second = await stepsPageOf(scene.service, id, `?limit=1000&after=${encodeURIComponent(first.next ?? "")}`);
    expect([...first.steps, ...second.steps]).toEqual(steps);
  },
  { tags: "slow" },
);
