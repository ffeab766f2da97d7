import { afterAll, beforeAll, expect } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { dueAlerts } from "#db/queries/alerts/due-alerts.ts";
import { checkAlerts } from "#operations/alerts/check-alerts.ts";
import { checkAgain, checked, createAlert, readAlert } from "../../support/alerts.ts";
import { createRoute, deliveriesOver, listDeliveries, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { openWorkspace, sql } from "../../support/workspace.ts";

/** What always fires, after some money was spent. */
const COSTLY = { kind: "cost_per_hour", threshold: 1 };
const ALERTS = 8;

let database: TestDatabase;
let service: TestService;
let other: TestService;
let receiver: Receiver;

beforeAll(async () => {
  [database, receiver] = await Promise.all([createDatabase(), startReceiver()]);
  const options = { databaseUrl: database.url, keys: createKeys(), env: { ALLOW_PRIVATE_URLS: "true" } };
  [service, other] = await Promise.all([startService(options), startPeer(options)]);
});
afterAll(async () => {
  await Promise.all([service.stop(), other.stop(), receiver.close()]);
  await database.drop();
});

function spend(workspaceId: string) {
  return sql(
    database.url,
    `insert into usage_records (id, workspace_id, attempt, provider, model, prompt_tokens, completion_tokens,
       estimated_cost_usd, billing_model)
     values (gen_random_uuid(), $1, 1, 'demo', 'demo', 1, 1, 2, 'per-token')`,
    [workspaceId],
  );
}

verifies("alerts.two-processes", "two processes that check the same alerts send each change once", async () => {
  const { console, workspaceId } = await openWorkspace(service);
  const { id: routeId } = await createRoute(console, `${receiver.url}/two`);
  const rule = { ...COSTLY, route_id: routeId };
  const ids = await Promise.all(Array.from({ length: ALERTS }, () => createAlert(console, rule)));
  for (const id of ids) await checked(console, id);
  for (const isSpent of [true, false]) {
    if (isSpent) await spend(workspaceId);
    else await sql(database.url, "delete from usage_records where workspace_id = $1", [workspaceId]);
    // All become due in one commit, of which both processes learn.
    await sql(database.url, "update alerts set check_at = now() - interval '1 second' where workspace_id = $1", [
      workspaceId,
    ]);
    await eventually("all have changed", async () => {
      const states = await Promise.all(ids.map((id) => readAlert(console, id)));
      return states.every(({ state }) => state === (isSpent ? "firing" : "ok"));
    });
  }
  await deliveriesOver(console, routeId, 2 * ALERTS);
  const sent = receiver.received("/two").map(({ event, alert }) => `${event} ${alert?.id}`);
  const expected = ids.flatMap((id) => [`alert.firing ${id}`, `alert.resolved ${id}`]);
  expect(sent.toSorted()).toEqual(expected.toSorted());
});

verifies(
  ["alerts.one-transaction", "alerts.fair"],
  "while a delivery cannot be stored, its alert keeps its state and other workspaces' alerts fire",
  async () => {
    const [broken, sound] = [await openWorkspace(service), await openWorkspace(service)];
    const { id: brokenRoute } = await createRoute(broken.console, `${receiver.url}/broken`);
    const { id: soundRoute } = await createRoute(sound.console, `${receiver.url}/sound`);
    const brokenId = await createAlert(broken.console, { ...COSTLY, route_id: brokenRoute });
    const soundId = await createAlert(sound.console, { ...COSTLY, route_id: soundRoute });
    await checked(broken.console, brokenId);
    await checked(sound.console, soundId);
    await sql(
      database.url,
      `alter table deliveries add constraint no_delivery check (route_id <> '${brokenRoute}') not valid`,
    );
    try {
      await spend(broken.workspaceId);
      await spend(sound.workspaceId);
      await sql(database.url, "update alerts set check_at = now() - interval '1 second' where id = any($1)", [
        [brokenId, soundId],
      ]);
      await eventually("the sound one fires", async () => (await readAlert(sound.console, soundId)).state === "firing");
      await eventually("the broken one waits for its next time", async () => {
        const rows = await sql(database.url, "select from alerts where id = $1 and check_at > now()", [brokenId]);
        return rows.length === 1;
      });
      expect(await readAlert(broken.console, brokenId)).toMatchObject({ state: "ok", last_value: 0 });
      expect(await listDeliveries(broken.console)).toEqual([]);
    } finally {
      await sql(database.url, "alter table deliveries drop constraint no_delivery");
    }
    expect(await checkAgain(broken.console, brokenId)).toMatchObject({ state: "firing" });
    await deliveriesOver(broken.console, brokenRoute);
    await deliveriesOver(sound.console, soundRoute);
    for (const path of ["/broken", "/sound"]) {
      expect(receiver.received(path).map(({ event }) => event)).toEqual(["alert.firing"]);
    }
  },
);

verifies("alerts.fair", "the first due alert of each workspace comes before the second of any", async () => {
  const ownDatabase = await createDatabase();
  const db = openDatabase({ url: ownDatabase.url, poolSize: 2, onIdleError: () => undefined });
  try {
    const add = (workspaceId: string, count: number, age: string) =>
      sql(
        ownDatabase.url,
        `insert into alerts (id, workspace_id, name, kind, threshold, is_enabled, check_at)
         select gen_random_uuid(), $1, 'Watch', 'queue_age', 1, true, now() - $3::interval from generate_series(1, $2)`,
        [workspaceId, count, age],
      );
    const insert = (slug: string) =>
      sql<{ id: string }>(
        ownDatabase.url,
        "insert into workspaces (id, name, plan, slug) values (gen_random_uuid(), $1, 'enterprise', $1) returning id",
        [slug],
      );
    const [many] = await insert("many");
    const [few] = await insert("few");
    if (many === undefined || few === undefined) throw new Error("Both were inserted.");
    await add(many.id, 120, "2 hours");
    await add(few.id, 1, "1 minute");
    const first = await dueAlerts(db, 2);
    const rows = await sql<{ id: string }>(
      ownDatabase.url,
      "select distinct workspace_id as id from alerts where id = any($1)",
      [first],
    );
    expect(rows.map(({ id }) => id).toSorted()).toEqual([many.id, few.id].toSorted());
    expect(await checkAlerts({ db })).toBe(121);
    expect(await dueAlerts(db, 2)).toEqual([]);
    expect(await checkAlerts({ db })).toBe(0);
  } finally {
    await db.close();
    await ownDatabase.drop();
  }
});
