import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { apiOf, fieldsOf } from "../support/api.ts";
import { openAiAgent, setStatus, startTask, taskEnd } from "../support/runs.ts";
import type { ApiService } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider } from "../support/scripted-provider.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { eventually } from "../support/eventually.ts";
import { verifies } from "../support/verifies.ts";
import { addWorkspace, sql } from "../support/workspace.ts";

/** Records the state in which each job is created. */
const RECORD_CREATED = `
  create table created_jobs (n serial, subject_id uuid, state text, executor_id uuid);
  grant all on created_jobs, created_jobs_n_seq to public;
  create function record_created() returns trigger language plpgsql as $$
  begin
    insert into public.created_jobs (subject_id, state, executor_id) values (new.subject_id, new.state, new.executor_id);
    return null;
  end $$;
  create trigger record_created after insert on jobs for each row execute function record_created()`;

let provider: ScriptedProvider;
let service: TestService;
/** A workspace of each test's own, whose only slot is free. */
let workspace: ApiService;
let agentId: string;
/** Where every model call waits. */
let gate = Promise.withResolvers<void>();

beforeAll(async () => {
  provider = await startScriptedProvider(async (_, reply) => {
    await gate.promise;
    reply.say("done");
    reply.finish();
  });
  service = await startService({
    env: { ...provider.env, RUNS_PER_WORKSPACE: "1", LOG_LEVEL: "info" },
  });
  await sql(service.databaseUrl, RECORD_CREATED);
});

beforeEach(async () => {
  const { key } = await addWorkspace(service.databaseUrl);
  workspace = { url: service.url, keys: { api: key } };
  agentId = await openAiAgent(workspace);
});

afterEach(() => {
  gate.resolve();
  gate = Promise.withResolvers();
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies(
  "engine.queue.claimed-at-creation",
  "a task that finds a free slot is claimed by the transaction that creates it; the next one waits",
  async () => {
    const [executor] = await sql<{ id: string }>(service.databaseUrl, "select id from executors");
    const first = await startTask(workspace, agentId);
    const second = await startTask(workspace, agentId);
    expect(await createdStates([first, second])).toEqual([
      { state: "running", executor_id: executor?.id },
      { state: "queued", executor_id: null },
    ]);
    gate.resolve();
    expect((await taskEnd(workspace, first)).status).toBe("completed");
    expect((await taskEnd(workspace, second)).status).toBe("completed");
  },
);

verifies(
  "engine.queue.started-at-creation",
  "the answer shows a task as dispatched, and its run has started by then; one without a slot waits",
  async () => {
    const api = apiOf(workspace, workspace.keys.api);
    const work = { title: "Started", description: "Say done.", assigned_agent_id: agentId };
    const first = fieldsOf(await api.post("/api-tasks", work));
    const second = fieldsOf(await api.post("/api-tasks", work));
    const states = await sql(
      service.databaseUrl,
      `select t.status, t.started_at is not null as started, t.agent_version, e.seq, e.event->>'type' as event
       from tasks t left join task_events e on e.log_id = t.id where t.id = any($1) order by t.created_at`,
      [[first["id"], second["id"]]],
    );
    for (const answer of [first, second]) {
      expect(answer).toMatchObject({ status: "dispatched", started_at: null, agent_version: null });
    }
    expect(states).toEqual([
      { status: "running", started: true, agent_version: 1, seq: 1, event: "RUN_STARTED" },
      { status: "dispatched", started: false, agent_version: null, seq: null, event: null },
    ]);
    gate.resolve();
    for (const { id } of [first, second]) expect((await taskEnd(workspace, String(id))).status).toBe("completed");
  },
);

verifies(
  "engine.queue.claimed-at-creation",
  "requests that are rolled back keep no slot, with an Idempotency-Key or without",
  async () => {
    const api = apiOf(workspace, workspace.keys.api);
    const refused = { title: "Refused", assigned_agent_id: agentId, attachments: [crypto.randomUUID()] };
    expect((await api.post("/api-tasks", refused)).status).toBe(400);
    expect((await api.post("/api-tasks", refused, { "Idempotency-Key": crypto.randomUUID() })).status).toBe(400);
    const keyed = { "Idempotency-Key": crypto.randomUUID() };
    const answer = await api.post("/api-tasks", { title: "Keyed", assigned_agent_id: agentId }, keyed);
    const [task] = await sql<{ id: string }>(service.databaseUrl, "select id from tasks where title = 'Keyed'");
    expect(answer.status).toBe(201);
    expect(await createdStates([task?.id ?? ""])).toMatchObject([{ state: "running" }]);
    gate.resolve();
    expect((await taskEnd(workspace, task?.id ?? "")).status).toBe("completed");
  },
);

verifies("engine.queue.claimed-at-creation", "a task that is run again is claimed as a new one is", async () => {
  gate.resolve();
  const task = await startTask(workspace, agentId);
  await taskEnd(workspace, task);
  await eventually("its slot is free", () => hasEnded(task));
  await setStatus(workspace, task, "dispatched");
  expect(await createdStates([task])).toMatchObject([{ state: "running" }, { state: "running" }]);
  expect(await taskEnd(workspace, task)).toMatchObject({ status: "completed", attempt: 2 });
});

/** Whether the log says that an execution of this task has ended. */
function hasEnded(task: string): boolean {
  const lines = service.output().stderr.split("\n");
  return lines.some((line) => line.includes(task) && line.includes("job execution ended"));
}

/** In which state the jobs of these tasks were created, in order. */
function createdStates(tasks: readonly string[]) {
  const list = tasks.map((id) => `'${id}'`).join(", ");
  return sql(
    service.databaseUrl,
    `select state, executor_id from created_jobs where subject_id in (${list}) order by n`,
  );
}
