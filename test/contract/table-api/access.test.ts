import { afterAll, beforeAll, expect } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { ADA_ENV, signIn } from "../../support/accounts.ts";
import { send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { rawTable, tableHeaders, tableRefusal } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey, addWorkspace } from "../../support/workspace.ts";

const MINUTE = 30;
const MONTH = 40;

let service: TestService;
beforeAll(async () => {
  const limits = { RATE_LIMIT_TABLE_MINUTE: String(MINUTE), RATE_LIMIT_TABLE_MONTH: String(MONTH) };
  service = await startService({ env: { ...ADA_ENV, ...limits } });
});
afterAll(() => service.stop());

verifies("auth.table.both-headers", "a person's access token opens the table API, with the anon key", async () => {
  const { access_token: token, workspace_id } = await signIn(service);
  const url = `${service.url}/rest/v1/agents?select=name`;
  const headers = tableHeaders(service, token);
  const body = { name: "Mine", model: "demo", workspace_id };
  const made = await send("POST", url, { body, headers: { ...headers, prefer: "return=representation" } });
  expect([made.status, made.body]).toEqual([201, [{ name: "Mine" }]]);
  const without = await send("GET", url, { headers: { authorization: `Bearer ${token}` } });
  expect(tableRefusal(without)).toMatchObject({ status: 401, code: "PGRST302" });
  const forged = await send("GET", url, { headers: tableHeaders(service, `${token}x`) });
  expect(tableRefusal(forged)).toMatchObject({ status: 401, code: "PGRST301" });
});

/** A caller with its own key. */
async function caller(): Promise<() => Promise<Answer>> {
  const other = await addWorkspace(service.databaseUrl);
  const raw = rawTable(service, await addKey(service.databaseUrl, { ...other, kind: "table" }));
  return () => raw("GET", "/agents");
}

verifies(
  ["limits.table.per-minute", "limits.table.per-month", "limits.table.429"],
  "only a key that exceeds its requests of the minute or the month is rejected",
  async () => {
    expect(readConfig({})).toMatchObject({ RATE_LIMIT_TABLE_MINUTE: 500, RATE_LIMIT_TABLE_MONTH: 50_000 });
    const ask = await caller();
    const passed: Answer[] = [];
    let refused: Answer | undefined;
    // A minute may end meanwhile; the month does not, and has room for ten more.
    while (refused === undefined) {
      const answer = await ask();
      if (answer.status === 200) passed.push(answer);
      else refused = answer;
    }
    expect(passed.length).toBeGreaterThanOrEqual(MINUTE);
    expect(passed.length).toBeLessThanOrEqual(MONTH);
    expect(tableRefusal(refused)).toMatchObject({ status: 429, code: "PT429" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await (await caller())()).status).toBe(200);
  },
);

verifies(["limits.table.per-month", "limits.table.429"], "the month is counted as well", async () => {
  const own = await startService({ env: { RATE_LIMIT_TABLE_MONTH: "3" } });
  try {
    const raw = rawTable(own);
    for (let i = 0; i < 3; i++) expect((await raw("GET", "/agents")).status).toBe(200);
    const refused = await raw("GET", "/agents");
    expect(tableRefusal(refused)).toMatchObject({ status: 429, code: "PT429" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  } finally {
    await own.stop();
  }
});
