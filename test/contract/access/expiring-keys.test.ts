import { afterAll, beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { consoleOf, fieldsOf, idsOf, listOf, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { createKey, listedKey, rotateKey } from "../../support/keys.ts";
import type { ShownKey } from "../../support/keys.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

const DAY_MS = 86_400_000;

let service: TestService;
let workspace: TestWorkspace;
let desk: Api;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true" } });
  workspace = await addWorkspace(service.databaseUrl);
  desk = consoleOf(service, workspace.key);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const endingIn = (days: number, fields: Readonly<Record<string, unknown>> = {}): Promise<ShownKey> =>
  createKey(desk, { label: `in ${days}`, expires_at: new Date(Date.now() + days * DAY_MS).toISOString(), ...fields });

/** Lets time pass for a key: its end and what is planned for it are so many days earlier. */
async function age({ id }: ShownKey, days: number): Promise<void> {
  const [before] = await sql<{ at: string | null }>(
    service.databaseUrl,
    "select (warn_at - make_interval(days => $2))::text as at from api_keys where id = $1",
    [id, days],
  );
  const earlier = "update api_keys set expires_at = expires_at - make_interval(days => $2) where id = $1";
  await sql(service.databaseUrl, earlier, [id, days]);
  await sql(service.databaseUrl, "update api_keys set warn_at = $2 where id = $1", [id, before?.at ?? null]);
}

/** How often each key was announced. */
async function announced(keys: readonly ShownKey[]): Promise<readonly number[]> {
  const text = JSON.stringify((await desk.get("/audit?action=key.expiring&limit=200")).body);
  return keys.map(({ id }) => text.split(`"id":"${id}"`).length - 1);
}

verifies("keys.expiring.shown", "lists and responses say that a key expires soon", async () => {
  const [late, soon, next] = [await endingIn(15), await endingIn(13.9), await endingIn(2.9)];
  const rotated = await endingIn(5);
  await rotateKey(desk, rotated.id, 600);
  const warnings = await Promise.all([late, soon, next, rotated].map(async ({ id }) => listedKey(desk, id)));
  expect(warnings.map((key) => key?.["expiry_warning"])).toEqual([null, "14_days", "3_days", null]);
  const expiring = idsOf(await desk.get("/keys?expiring=true"));
  expect(expiring).toEqual(expect.arrayContaining([next.id, soon.id]));
  for (const { id } of [late, rotated]) expect(expiring).not.toContain(id);
  expect((await desk.get("/keys?expiring=maybe")).status).toBe(400);

  const header = async (path: string, headers: Record<string, string>, body?: unknown) =>
    (
      await send(body === undefined ? "GET" : "POST", service.url + path, {
        headers,
        ...(body !== undefined && { body }),
      })
    ).headers.get("muster-key-expires");
  expect(await header("/functions/v1/api-me", { "x-api-key": late.key })).toBeNull();
  const ends = String((await listedKey(desk, soon.id))?.["expires_at"]);
  expect(await header("/functions/v1/api-me", { "x-api-key": soon.key })).toBe(ends);
  expect(await header("/v1/models", { authorization: `Bearer ${soon.key}` })).toBe(ends);
  expect(await header("/functions/v1/api-tasks", { "x-api-key": soon.key }, {})).toBe(ends);
  const keyOf = async (kind: string) => (await endingIn(1, { kind })).key;
  const [table, a2a, mcp] = [await keyOf("table"), await keyOf("a2a"), await keyOf("mcp")];
  const rpc = (method: string) => ({ jsonrpc: "2.0", id: 1, method, params: {} });
  const accept = "application/json, text/event-stream";
  for (const answered of [
    await header("/rest/v1/agents", { apikey: table, authorization: `Bearer ${table}` }),
    await header("/a2a", { authorization: `Bearer ${a2a}` }, rpc("ListTasks")),
    await header("/mcp", { authorization: `Bearer ${mcp}`, accept }, rpc("ping")),
    await header(`/ag-ui/${newId()}/sse`, { authorization: `Bearer ${a2a}` }, { threadId: newId() }),
  ]) {
    expect(Date.parse(answered ?? "")).toBeGreaterThan(0);
  }
});

/** Its deliveries go to the test's receiver. */
function newPeer(): Promise<TestService> {
  return startPeer({ databaseUrl: service.databaseUrl, keys: service.keys, env: { ALLOW_PRIVATE_URLS: "true" } });
}

verifies("keys.expiring.announced", "each time is announced once, with two processes, to routes too", async () => {
  const peers = [await newPeer()];
  try {
    await createRoute(desk, `${receiver.url}/audit`, { events: ["audit.recorded"] });
    const keys = await Promise.all(Array.from({ length: 10 }, () => endingIn(40)));
    const [short, replaced] = [await endingIn(10), await endingIn(40)];
    await rotateKey(desk, replaced.id, 0);
    const all = [...keys, short, replaced];
    const counts = () => announced(all);
    const once = keys.map(() => 1);
    for (const key of all) await age(key, 27);
    // A process looks once a minute, and a new one at once.
    peers.push(...(await Promise.all([0, 1].map(() => newPeer()))));
    await eventually(
      "13 days before",
      async () => JSON.stringify((await counts()).slice(0, 10)) === JSON.stringify(once),
    );
    expect((await counts()).slice(10)).toEqual([0, 0]);
    for (const key of keys) await age(key, 11);
    peers.push(...(await Promise.all([0, 1].map(() => newPeer()))));
    const twice = keys.map(() => 2);
    await eventually(
      "2 days before",
      async () => JSON.stringify((await counts()).slice(0, 10)) === JSON.stringify(twice),
    );
    const left = await sql<{ count: number }>(
      service.databaseUrl,
      "select count(*)::integer as count from api_keys where workspace_id = $1 and warn_at <= now()",
      [workspace.workspaceId],
    );
    expect(left).toEqual([{ count: 0 }]);
    // A delivery may come twice, with the same id.
    const told = () => {
      const announcements = receiver.requests("/audit").filter(({ body }) => body.includes("key.expiring"));
      return new Set(announcements.map(({ headers }) => headers["x-service-delivery"])).size;
    };
    await eventually("each is delivered", () => told() === 2 * keys.length);
    const [entry] = listOf({
      status: 200,
      headers: new Headers(),
      text: "",
      body: fieldsOf(await desk.get("/audit?action=key.expiring&limit=1"))["items"],
    });
    expect(entry).toMatchObject({
      actor: null,
      key: null,
      subject: { kind: "key", name: "in 40" },
      changes: { expires_at: [null, expect.stringMatching(/Z$/)] },
    });
  } finally {
    for (const peer of peers) await peer.stop();
  }
});
