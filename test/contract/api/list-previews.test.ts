import { beforeAll, expect } from "vitest";
import { apiOf, fieldsOf, listOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, taskInState } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const LIMIT = 65_536;

let service: SharedService;
let api: Api;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
});

interface Listed {
  readonly path: string;
  readonly id: string;
  readonly field: "result" | "output";
}

/** What the list and the record read alone have of a text of so many bytes. */
async function shown({ path, id, field }: Listed, bytes: number) {
  const text = "é".repeat(bytes / 2);
  const table = field === "result" ? "tasks" : "team_runs";
  await sql(service.databaseUrl, `update ${table} set ${field} = $2 where id = $1`, [id, text]);
  const listed = listOf(await api.get(path)).find((row) => row["id"] === id);
  const read = fieldsOf(await api.get(`${path.split("?")[0]}?id=${id}`));
  const of = (row: Readonly<Record<string, unknown>> | undefined) => [
    String(row?.[field]).length,
    row?.[`${field}_truncated`],
  ];
  expect(String(listed?.[field])).toBe(text.slice(0, String(listed?.[field]).length));
  return { listed: of(listed), read: of(read) };
}

verifies("pagination.previews", "a list has the beginning of a long result, and the record all of it", async () => {
  const { id: agentId } = await createAgent(api);
  const task = await taskInState(api, { status: "completed", agentId, description: QUICK });
  const team = await createTeam(api);
  const run = await startRun(api, team.id);
  await runIn(api, run.id, "completed");
  const lists: readonly Listed[] = [
    { path: "/api-tasks", id: task.id, field: "result" },
    { path: "/api-tasks?status=completed", id: task.id, field: "result" },
    { path: "/api-runs", id: run.id, field: "output" },
    { path: `/api-runs?team_id=${team.id}`, id: run.id, field: "output" },
  ];
  for (const list of lists) {
    expect(await shown(list, LIMIT)).toEqual({ listed: [LIMIT / 2, false], read: [LIMIT / 2, false] });
    const bytes = LIMIT + 2;
    expect(await shown(list, bytes)).toEqual({ listed: [4_096, true], read: [bytes / 2, false] });
  }
});
