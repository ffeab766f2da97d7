import { z } from "zod";
import type { Api } from "./api.ts";
import { eventually } from "./eventually.ts";
import { QUICK, createAgent } from "./work.ts";

const team = z.looseObject({
  id: z.uuid(),
  mode: z.string(),
  config: z.record(z.string(), z.unknown()),
  members: z.array(z.looseObject({ agent_id: z.uuid(), role: z.string(), position: z.int() })),
});
const run = z.looseObject({
  id: z.uuid(),
  team_id: z.uuid().nullable(),
  status: z.string(),
  output: z.string().nullable(),
  error: z.string().nullable(),
  attempt: z.int(),
});

/** A team, with the fields that tests read. */
export type TeamFields = z.output<typeof team>;
/** A run, with the fields that tests read. */
export type RunFields = z.output<typeof run>;

/** Creates a team, with these fields instead of the defaults: a pipeline of one new agent, whose runs end immediately. */
export async function createTeam(api: Api, fields: Readonly<Record<string, unknown>> = {}): Promise<TeamFields> {
  const body = { name: "Crew", mode: "pipeline", ...fields };
  const config = { steps: [{ agent_id: (await createAgent(api)).id, instructions: QUICK }] };
  return team.parse((await api.post("/api-teams", { config, ...body })).body);
}

/** Starts a run of a team. */
export async function startRun(api: Api, teamId: string, inputTask = "Work"): Promise<RunFields> {
  return run.parse((await api.post("/api-runs", { team_id: teamId, input_task: inputTask })).body);
}

/** Reads a run. */
export async function readRun(api: Api, id: string): Promise<RunFields> {
  return run.parse((await api.get(`/api-runs?id=${id}`)).body);
}

/** Waits until a run is in a state, and returns it. */
export function runIn(api: Api, id: string, status: string): Promise<RunFields> {
  return eventually(`run ${id} is ${status}`, async () => {
    const now = await readRun(api, id);
    return now.status === status && now;
  });
}
