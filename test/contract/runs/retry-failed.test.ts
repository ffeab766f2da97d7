import { beforeAll, expect } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { FAILING, QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { addWorkspace } from "../../support/workspace.ts";

let service: SharedService;
let api: Api;
let console_: Api;

beforeAll(async () => {
  service = await useSharedService();
  const { key } = await addWorkspace(service.databaseUrl);
  api = apiOf(service, key);
  console_ = consoleOf(service, key);
});

/** A team whose runs fail until its instructions change. */
async function failingTeam() {
  const agent = await createAgent(api);
  const step = (instructions: string) => ({ steps: [{ agent_id: agent.id, instructions }] });
  const { id } = await createTeam(api, { config: step(FAILING) });
  return { id, repair: () => api.patch(`/api-teams?id=${id}`, { config: step(QUICK) }) };
}

verifies(
  "tasks.retry.bulk-runs",
  "runs of teams that failed with a code run again, without those of tasks and with other codes",
  async () => {
    const team = await failingTeam();
    const failed = [await startRun(api, team.id), await startRun(api, team.id)];
    for (const { id } of failed) await runIn(api, id, "failed");
    const task = await createTask(api, { assigned_team_id: team.id });
    await taskIn(api, task.id, "failed");

    const none = await console_.post("/runs/retry", { error_code: "CRASH_LOOP" });
    expect(none).toMatchObject({ status: 200, body: { retried: 0, run_ids: [], has_more: false } });
    const late = await console_.post("/runs/retry", { error_code: "MODEL_ERROR", since: "2100-01-01T00:00:00Z" });
    expect(late.body).toMatchObject({ retried: 0 });

    await team.repair();
    const ids = failed.map(({ id }) => id);
    const first = await console_.post("/runs/retry", { error_code: "MODEL_ERROR", limit: 1 });
    expect(first.body).toEqual({ retried: 1, run_ids: ids.slice(0, 1), has_more: true });
    const second = await console_.post("/runs/retry", { error_code: "MODEL_ERROR" });
    expect(second.body).toEqual({ retried: 1, run_ids: ids.slice(1), has_more: false });
    for (const id of ids) expect(await runIn(api, id, "completed")).toMatchObject({ attempt: 2, error: null });
    expect(await taskIn(api, task.id, "failed")).toMatchObject({ attempt: 1 });
  },
);
