import { afterAll, beforeAll, expect } from "vitest";
import type { Answer } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { rawTable, tableRefusal } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";

let service: TestService;

/** A key's requests of a month, which does not end within the test. */
const MONTH = 5;
const PLAN = 30;

beforeAll(async () => {
  service = await startService({
    env: { RATE_LIMIT_TABLE_MINUTE: "1000", RATE_LIMIT_TABLE_MONTH: String(MONTH), RATE_LIMIT_FREE: String(PLAN) },
  });
});
afterAll(() => service.stop());

function templates(workspace_id: string, count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({ name: `T${n}`, type: "HTML", body: "x", workspace_id }));
}

verifies("limits.table.workspace", "more keys do not make a workspace's requests unlimited", async () => {
  const workspace = await addWorkspace(service.databaseUrl);
  const answers: Answer[] = [];
  for (let key = 0; key < 6; key++) {
    const raw = rawTable(service, await addKey(service.databaseUrl, { ...workspace, kind: "table" }));
    for (let n = 0; n < MONTH; n++) answers.push(await raw("GET", "/agents?select=id"));
  }
  const passed = answers.filter(({ status }) => status === 200);
  expect(passed).toHaveLength(4 * MONTH);
  for (const refused of answers.slice(4 * MONTH)) {
    expect(tableRefusal(refused)).toMatchObject({ status: 429, code: "PT429" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const other = await addWorkspace(service.databaseUrl);
  const raw = rawTable(service, await addKey(service.databaseUrl, { ...other, kind: "table" }));
  expect((await raw("GET", "/agents?select=id")).status).toBe(200);
});

verifies("limits.table.rows", "rows use up the plan's minute, and a rejected batch writes nothing", async () => {
  const workspace = await addWorkspace(service.databaseUrl);
  const own = async () => rawTable(service, await addKey(service.databaseUrl, { ...workspace, kind: "table" }));
  const stored = async () => {
    const text = "select count(*)::int as rows from output_templates where workspace_id = $1";
    const [found] = await sql<{ rows: number }>(service.databaseUrl, text, [workspace.workspaceId]);
    return found?.rows;
  };
  let inserted = 0;
  let refused: Answer | undefined;
  // A minute may end meanwhile, which lets one more batch or two pass.
  for (let n = 0; n < 10 && refused === undefined; n++) {
    const answer = await (await own())("POST", "/output_templates", { body: templates(workspace.workspaceId, 20) });
    if (answer.status === 201) inserted += 20;
    else refused = answer;
  }
  expect(inserted).toBeGreaterThanOrEqual(2 * 20);
  expect(inserted).toBeLessThanOrEqual(4 * 20);
  expect(refused && tableRefusal(refused)).toMatchObject({ status: 429, code: "PT429" });
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await stored()).toBe(inserted);
  const raw = await own();
  const changed = await raw("PATCH", "/output_templates?name=in.(T1,T2)", { body: { body: "y" } });
  expect(tableRefusal(changed)).toMatchObject({ status: 429, code: "PT429" });
  const one = await raw("POST", "/output_templates", { body: templates(workspace.workspaceId, 1) });
  expect(tableRefusal(one)).toMatchObject({ status: 429, code: "PT429" });
});
