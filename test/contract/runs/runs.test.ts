import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, fieldsOf, idsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { workStopped } from "../../support/running-on.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, readRun, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const STATES = ["pending", "running", "waiting_for_input", "completed", "failed", "cancelled"] as const;
const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

let service: SharedService;
let api: Api;
let teamId: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  teamId = (await createTeam(api)).id;
});

/** A run in a state, straight in the database: no process works on it. */
async function runAt(status: string): Promise<string> {
  const id = newId();
  await sql(
    service.databaseUrl,
    `insert into team_runs (id, workspace_id, team_id, status, input_task, output, completed_at)
     select $1, workspace_id, id, $3, 'Work', case when $3 = 'completed' then 'Done' end,
       case when $3 = any('{completed,failed,cancelled}') then now() end from teams where id = $2`,
    [id, teamId, status],
  );
  return id;
}

verifies(
  ["runs.create.starts", "runs.record.fields", "runs.get.with-messages"],
  "a run is started, has every field, and is read with its messages",
  async () => {
    const me = fieldsOf(await api.get("/api-me"));
    const answer = await api.post("/api-runs", { team_id: teamId, input_task: "Write a poem." });
    expect(answer.status).toBe(201);
    const run = fieldsOf(answer);
    expect(run).toEqual({
      id: expect.stringMatching(UUID),
      team_id: teamId,
      workspace_id: me["workspace_id"],
      task_id: null,
      status: "pending",
      input_task: "Write a poem.",
      output: null,
      error: null,
      interaction: null,
      current_step_idx: null,
      usage: {
        prompt_tokens: 0,
        completion_tokens: 0,
        cached_tokens: 0,
        cache_write_tokens: 0,
        reasoning_tokens: 0,
        total_tokens: 0,
        cost_usd: 0,
      },
      finish_reason: null,
      output_truncated: false,
      attempt: 1,
      created_by: me["id"],
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
      started_at: null,
      completed_at: null,
      forked_from: null,
      attachments: [],
    });
    const ended = await runIn(api, String(run["id"]), "completed");
    const messages = [expect.objectContaining({ message_type: "result", content: "done" })];
    expect(ended).toMatchObject({ messages, started_at: expect.stringMatching(TIME), output: "done" });
    expect(ended["completed_at"]).toMatch(TIME);
  },
);

verifies("runs.create.starts", "a run that its team cannot do fails and says why", async () => {
  const leaver = await createAgent(api);
  const team = await createTeam(api, { config: { steps: [{ agent_id: leaver.id }] } });
  await api.delete(`/api-agents?id=${leaver.id}`);
  const { error: ofDeleted } = await runIn(api, (await startRun(api, team.id)).id, "failed");
  expect(ofDeleted).toContain("deleted (config.steps.0.agent_id)");
});

verifies(
  ["runs.create.fields-required", "envelope.body.nothing-half-written"],
  "a run without a team or a task, or with an odd field, is rejected with the path",
  async () => {
    const before = idsOf(await api.get("/api-runs?limit=200"));
    const whole = { team_id: teamId, input_task: "Work" };
    for (const [path, value] of [
      ["team_id", undefined],
      ["team_id", "x"],
      ["input_task", undefined],
      ["input_task", ""],
      ["input_task", " \n\t"],
      ["input_task", 7],
      ["colour", "red"],
    ] as const) {
      const answer = await api.post("/api-runs", { ...whole, [path]: value });
      expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request", paths: [path] });
    }
    expect(idsOf(await api.get("/api-runs?limit=200"))).toEqual(before);
  },
);

verifies(
  "runs.create.foreign-team-404",
  "a team that is unknown or of another workspace is not found, alike",
  async () => {
    const other = apiOf(service, (await addWorkspace(service.databaseUrl)).key);
    const foreign = await createTeam(other);
    for (const id of [UNKNOWN, foreign.id]) {
      const answer = await api.post("/api-runs", { team_id: id, input_task: "Work" });
      expect(refusal(answer)).toMatchObject({ status: 404, message: "Team not found" });
    }
    expect(idsOf(await other.get("/api-runs"))).toEqual([]);
  },
);

verifies(
  ["runs.list.all", "runs.list.by-team"],
  "runs are listed newest first, all or of one team, in pages",
  async () => {
    const other = await createTeam(api);
    const made: string[] = [];
    for (const team of [other.id, teamId, other.id, other.id]) made.push((await startRun(api, team)).id);
    const newest = made.toReversed();
    expect(idsOf(await api.get("/api-runs")).slice(0, 4)).toEqual(newest);
    const ofOther = newest.filter((id) => id !== made[1]);
    expect(idsOf(await api.get(`/api-runs?team_id=${other.id}`))).toEqual(ofOther);
    const first = await api.get(`/api-runs?team_id=${other.id}&limit=2`);
    const next = /<\/functions\/v1([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    expect([...idsOf(first), ...idsOf(await api.get(next))]).toEqual(ofOther);
    expect(idsOf(await api.get(`/api-runs?team_id=${UNKNOWN}`))).toEqual([]);
    expect(refusal(await api.get("/api-runs?team_id=x"))).toMatchObject({ status: 400, paths: ["team_id"] });
    const stranger = apiOf(service, (await addWorkspace(service.databaseUrl)).key);
    expect(idsOf(await stranger.get(`/api-runs?team_id=${other.id}`))).toEqual([]);
  },
);

verifies(
  ["runs.record.message-fields", "runs.record.message-types", "runs.get.with-messages"],
  "a run shows the messages of its current attempt, in order",
  async () => {
    const types = [
      "delegation",
      "handoff",
      "broadcast",
      "tool_call",
      "result",
      "system",
      "rejection",
      "revision_request",
      "discussion",
    ];
    const id = await runAt("completed");
    const [sender, receiver] = [newId(), newId()];
    const add = `
      insert into team_messages (id, workspace_id, run_id, attempt, sender_agent_id, receiver_agent_id, message_type,
        content, metadata, step_idx, tokens_used)
      select $2, workspace_id, id, $3, $4, $5, $6, 'Hello', '{"score": 1}', 3, 12 from team_runs where id = $1`;
    for (const type of types) await sql(service.databaseUrl, add, [id, newId(), 1, sender, receiver, type]);
    await sql(service.databaseUrl, add, [id, newId(), 2, sender, receiver, "system"]);
    const { messages } = fieldsOf(await api.get(`/api-runs?id=${id}`));
    expect(messages).toEqual(
      types.map((message_type) => ({
        id: expect.stringMatching(UUID),
        run_id: id,
        sender_agent_id: sender,
        receiver_agent_id: receiver,
        message_type,
        content: "Hello",
        metadata: { score: 1 },
        step_idx: 3,
        tokens_used: 12,
        created_at: expect.stringMatching(TIME),
      })),
    );
    await expect(sql(service.databaseUrl, add, [id, newId(), 1, sender, receiver, "gossip"])).rejects.toThrow("check");
  },
);

verifies("runs.record.fields", "a run's usage is that of its current attempt", async () => {
  const id = await runAt("failed");
  const add = `
    insert into usage_records (id, workspace_id, team_run_id, attempt, step, provider, model, prompt_tokens,
      completion_tokens, estimated_cost_usd, billing_model)
    select $2, workspace_id, id, $3, $4, 'demo', 'demo', 10, 5, 0.25, 'per-token' from team_runs where id = $1`;
  for (const [attempt, step] of [
    [1, 0],
    [1, 1],
    [2, 0],
  ]) {
    await sql(service.databaseUrl, add, [id, newId(), attempt, step]);
  }
  const { usage } = fieldsOf(await api.get(`/api-runs?id=${id}`));
  expect(usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, cost_usd: 0.5 });
});

verifies("runs.patch.unchanged", "the status that a run has is no change", async () => {
  for (const status of STATES) {
    const id = await runAt(status);
    const before = (await api.get(`/api-runs?id=${id}`)).body;
    const answer = await api.patch(`/api-runs?id=${id}`, { status });
    expect([status, answer.status]).toEqual([status, 200]);
    expect((await api.get(`/api-runs?id=${id}`)).body).toEqual(before);
  }
});

for (const from of STATES) {
  for (const to of STATES) {
    const allowed = to === "cancelled" ? !ENDED.has(from) : to === "pending" && ENDED.has(from);
    if (allowed || to === from) continue;
    verifies(
      ["runs.patch.other-status-409", "runs.record.statuses"],
      `a run does not go from ${from} to ${to}`,
      async () => {
        const id = await runAt(from);
        const before = (await api.get(`/api-runs?id=${id}`)).body;
        const answer = refusal(await api.patch(`/api-runs?id=${id}`, { status: to }));
        expect(answer).toMatchObject({
          status: 409,
          code: "conflict",
          message: `A run cannot go from ${from} to ${to}; it can be set to ${ENDED.has(from) ? "pending" : "cancelled"}.`,
        });
        expect((await api.get(`/api-runs?id=${id}`)).body).toEqual(before);
      },
    );
  }
}

for (const from of STATES.filter((state) => !ENDED.has(state))) {
  verifies("runs.patch.cancel", `a run that is ${from} is cancelled`, async () => {
    const id = await runAt(from);
    const answer = await api.patch(`/api-runs?id=${id}`, { status: "cancelled" });
    expect(answer.status).toBe(200);
    expect(fieldsOf(answer)).toMatchObject({ id, status: "cancelled", completed_at: expect.stringMatching(TIME) });
  });
}

for (const from of STATES.filter((state) => ENDED.has(state))) {
  verifies("runs.patch.rerun", `a run that is ${from} is run again, as a new attempt`, async () => {
    const id = await runAt(from);
    const answer = await api.patch(`/api-runs?id=${id}`, { status: "pending" });
    expect(answer.status).toBe(200);
    expect(fieldsOf(answer)).toMatchObject({ id, status: "pending", attempt: 2, output: null, completed_at: null });
    expect(await runIn(api, id, "completed")).toMatchObject({ attempt: 2, output: "done" });
  });
}

verifies("runs.patch.rerun", "the record of a deleted team's run stays, and the run cannot run again", async () => {
  const team = await createTeam(api);
  const { id } = await startRun(api, team.id);
  const before = await runIn(api, id, "completed");
  expect((await api.delete(`/api-teams?id=${team.id}`)).status).toBe(204);
  const answer = refusal(await api.patch(`/api-runs?id=${id}`, { status: "pending" }));
  expect(answer).toMatchObject({ status: 409, message: expect.stringContaining("team was deleted") });
  expect(await readRun(api, id)).toEqual({ ...before, team_id: null });
});

verifies("runs.patch.cancel", "a deleted team's runs that have not ended are cancelled", async () => {
  const kept = teamId;
  teamId = (await createTeam(api)).id;
  const [active, done] = [await runAt("running"), await runAt("completed")];
  await api.delete(`/api-teams?id=${teamId}`);
  teamId = kept;
  expect([(await readRun(api, active)).status, (await readRun(api, done)).status]).toEqual(["cancelled", "completed"]);
});

verifies("runs.patch.cancel", "a cancelled run stays cancelled", async () => {
  const runs = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { id } = await startRun(api, teamId);
      return { id, cancelled: (await api.patch(`/api-runs?id=${id}`, { status: "cancelled" })).status === 200 };
    }),
  );
  for (const { id, cancelled } of runs) {
    await workStopped(service.databaseUrl, id);
    expect((await readRun(api, id)).status).toBe(cancelled ? "cancelled" : "completed");
  }
});

verifies(
  "runs.patch.other-status-409",
  "a status that does not exist is 400, and nothing but the status changes",
  async () => {
    const id = await runAt("failed");
    expect(refusal(await api.patch(`/api-runs?id=${id}`, { status: "odd" }))).toMatchObject({ paths: ["status"] });
    expect(refusal(await api.patch(`/api-runs?id=${id}`, {}))).toMatchObject({ status: 400, paths: ["status"] });
    expect(refusal(await api.patch(`/api-runs?id=${id}`, { status: "pending", colour: "red" })).paths).toEqual([
      "colour",
    ]);
    expect(refusal(await api.patch(`/api-runs?id=${UNKNOWN}`, { status: "cancelled" })).status).toBe(404);
    const sentBack = { ...fieldsOf(await api.get(`/api-runs?id=${id}`)), status: "pending", input_task: "Other" };
    expect(fieldsOf(await api.patch(`/api-runs?id=${id}`, sentBack))).toMatchObject({ input_task: "Work", attempt: 2 });
  },
);

verifies("errors.method-not-allowed", "a run cannot be deleted", async () => {
  const answer = await api.delete(`/api-runs?id=${await runAt("failed")}`);
  expect([refusal(answer).status, answer.headers.get("allow")]).toEqual([405, "GET, POST, PATCH, HEAD, OPTIONS"]);
});
