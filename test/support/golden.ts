import { z } from "zod";
import { consoleOf } from "./api.ts";
import type { Answer, Api } from "./api.ts";
import { eventually } from "./eventually.ts";
import type { ApiService } from "./runs.ts";
import { createTask, taskIn } from "./work.ts";

const goldenCase = z.looseObject({
  id: z.uuid(),
  agent_id: z.uuid(),
  name: z.string(),
  expected: z.string(),
  tools: z.array(z.looseObject({ name: z.string(), output: z.string() })),
});

const outcome = z.looseObject({ type: z.string(), passed: z.boolean(), reason: z.string() });

const goldenRun = z.looseObject({
  id: z.uuid(),
  version: z.int().nullable(),
  model: z.string(),
  status: z.enum(["running", "passed", "failed"]),
  cases: z.int(),
  passed: z.int(),
  failed: z.int(),
  diverged: z.int(),
  cancelled: z.int(),
  results: z.array(
    z.looseObject({
      case_id: z.uuid(),
      run_id: z.uuid(),
      status: z.string(),
      reason: z.string().nullable(),
      checks: z.array(outcome),
      after: z.looseObject({ result: z.string().nullable(), tools: z.array(z.string()) }),
    }),
  ),
});

/** A golden case, with the fields that tests read. */
export type GoldenCaseFields = z.output<typeof goldenCase>;
/** A golden run, with the fields that tests read. */
export type GoldenRunFields = z.output<typeof goldenRun>;

/** Golden cases and runs of a workspace. */
export interface Golden {
  /** Runs an agent on a task until it has ended; returns the task's id. */
  ended(agentId: string, fields: object, status?: string): Promise<string>;
  keep(runId: string, fields?: object): Promise<GoldenCaseFields>;
  tryToKeep(runId: string, fields?: object): Promise<Answer>;
  start(agentId: string, candidate?: object): Promise<GoldenRunFields>;
  tryToStart(agentId: string, candidate?: object): Promise<Answer>;
  read(id: string): Promise<GoldenRunFields>;
  /** Waits until a golden run has ended. */
  ends(id: string): Promise<GoldenRunFields>;
}

/** Golden cases and runs of a service's workspace, or of another one by its key. */
export function goldenOf(service: ApiService, api: Api, key = service.keys.api): Golden {
  const desk = consoleOf(service, key);
  const tryToKeep = (runId: string, fields = {}) => desk.post(`/runs/${runId}/golden`, fields);
  const tryToStart = (agentId: string, candidate = {}) => desk.post(`/agents/${agentId}/golden/runs`, candidate);
  const read = async (id: string) => goldenRun.parse((await desk.get(`/golden/runs/${id}`)).body);
  return {
    async ended(agentId, fields, status = "completed") {
      const { id } = await createTask(api, { assigned_agent_id: agentId, ...fields });
      await taskIn(api, id, status);
      return id;
    },
    tryToKeep,
    keep: async (runId, fields) => goldenCase.parse(created(await tryToKeep(runId, fields))),
    tryToStart,
    start: async (agentId, candidate) => goldenRun.parse(created(await tryToStart(agentId, candidate))),
    read,
    ends: (id) =>
      eventually(`golden run ${id} has ended`, async () => {
        const run = await read(id);
        return run.status !== "running" && run;
      }),
  };
}

function created(answer: Answer): unknown {
  if (answer.status !== 201) throw new Error(`Rejected with ${answer.status}: ${answer.text}`);
  return answer.body;
}
