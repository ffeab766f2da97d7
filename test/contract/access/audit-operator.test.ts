import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { runJanitor } from "../../support/run-janitor.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { openWorkspace, sql } from "../../support/workspace.ts";

let service: TestService;

beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

const actions = (body: unknown) =>
  z
    .object({ items: z.array(z.object({ action: z.string() })) })
    .parse(body)
    .items.map(({ action }) => action);

verifies(
  "audit.deleted-workspaces",
  "the operator keeps the log of a deleted workspace, with its deletion",
  async () => {
    const { workspaceId, api, console } = await openWorkspace(service);
    await createAgent(api, { name: "Gone" });
    const before = actions((await console.get("/audit?limit=200")).body);
    expect((await console.delete("/workspace?confirm=Another%20workspace")).status).toBe(204);
    await eventually("its rows are gone", async () => {
      const rows = await sql(service.databaseUrl, "select from workspaces where id = $1", [workspaceId]);
      return rows.length === 0;
    });
    const operator = consoleOf(service, service.keys.api);
    const kept = await operator.get(`/audit?workspace_id=${workspaceId}&limit=200`);
    expect(actions(kept.body)).toEqual(["workspace.deleted", ...before]);
    expect(fieldsOf(kept)["items"]).toMatchObject([
      { subject: { id: workspaceId, name: "Another workspace" } },
      ...before.map(() => ({})),
    ]);
    const other = await openWorkspace(service);
    expect(refusal(await other.console.get(`/audit?workspace_id=${workspaceId}`))).toMatchObject({ status: 403 });
  },
);

verifies("audit.retention", "the log of a deleted workspace is deleted a year after it", async () => {
  const [old, fresh, living] = [
    await openWorkspace(service),
    await openWorkspace(service),
    await openWorkspace(service),
  ];
  for (const { workspaceId, console } of [old, fresh]) {
    expect((await console.delete("/workspace?confirm=Another%20workspace")).status).toBe(204);
    await eventually("its rows are gone", async () => {
      const rows = await sql(service.databaseUrl, "select from workspaces where id = $1", [workspaceId]);
      return rows.length === 0;
    });
  }
  const ids = [old, fresh, living].map(({ workspaceId }) => workspaceId);
  const age = "update audit_log set at = at - interval '366 days' where workspace_id = any($1) and id not in";
  const newest = "select id from audit_log where workspace_id = $2 order by at desc limit 1";
  await sql(service.databaseUrl, `${age} (${newest})`, [ids, fresh.workspaceId]);
  await runJanitor(service);
  const kept = await sql<{ workspace_id: string }>(
    service.databaseUrl,
    "select distinct workspace_id from audit_log where workspace_id = any($1)",
    [ids],
  );
  expect(new Set(kept.map((row) => row.workspace_id))).toEqual(new Set([fresh.workspaceId, living.workspaceId]));
});
