import { afterAll, beforeAll, expect } from "vitest";
import { KEY_KINDS, hashKey } from "#domain/access/api-key.ts";
import type { KeyKind } from "#domain/access/api-key.ts";
import { apiOf, consoleOf, fieldsOf, idsOf, refusal, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { createKey, keyStatus, listedKey, rotateKey, shownIn } from "../../support/keys.ts";
import type { ShownKey } from "../../support/keys.ts";
import { readStream } from "../../support/sse-client.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, createAgent, stopTask, taskInState } from "../../support/work.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

/** Well below the time for which a process trusts its memory of a key. */
const AT_ONCE_MS = 15_000;
const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const HOUR_MS = 3_600_000;

let service: TestService;
let second: TestService;
let workspace: TestWorkspace;
let manage: Api;
/** Every key that was made here: none may are in a log. */
const made: string[] = [];

beforeAll(async () => {
  service = await startService({ env: { LOG_LEVEL: "trace" } });
  second = await startPeer({
    databaseUrl: service.databaseUrl,
    keys: service.keys,
    env: { LOG_LEVEL: "trace" },
  });
  workspace = await addWorkspace(service.databaseUrl);
  manage = consoleOf(service, workspace.key);
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

function remember(key: ShownKey): ShownKey {
  made.push(key.key);
  return key;
}

async function create(fields: Readonly<Record<string, unknown>> = {}): Promise<ShownKey> {
  return remember(await createKey(manage, fields));
}

async function rotate(id: string, overlapSeconds: number): Promise<ShownKey> {
  return remember(await rotateKey(manage, id, overlapSeconds));
}

function statusOf(key: string, on: TestService = service): Promise<number> {
  return keyStatus(on, key);
}

/** Waits until both processes reject a key; the first one, which received the revocation, must do so already. */
async function ended(key: string): Promise<void> {
  expect(await statusOf(key)).toBe(401);
  await eventually("the other process knows", async () => (await statusOf(key, second)) === 401, AT_ONCE_MS);
}

verifies(["keys.create.kinds", "keys.shown-once"], "a key of each kind opens its surface and no other", async () => {
  const opens: Readonly<Partial<Record<KeyKind, readonly string[]>>> = {
    envelope: ["api", "ag-ui"],
    a2a: ["ag-ui"],
    "ag-ui": ["ag-ui"],
  };
  for (const kind of KEY_KINDS) {
    const { key } = await create({ kind });
    const opened = [
      ...((await statusOf(key)) === 200 ? ["api"] : []),
      ...((await agUiStatus(key)) === 404 ? ["ag-ui"] : []),
    ];
    expect([kind, opened]).toEqual([kind, opens[kind] ?? []]);
  }
});

async function agUiStatus(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await send("POST", `${service.url}/ag-ui/${UNKNOWN}/sse`, { headers, body: { threadId: UNKNOWN } })).status;
}

verifies(
  "keys.create.kinds",
  "a key that expires is rejected from then on",
  async () => {
    const { key } = await create({ expires_at: new Date(Date.now() + 6_000).toISOString() });
    expect([await statusOf(key), await statusOf(key, second)]).toEqual([200, 200]);
    await eventually("it has expired", async () => (await statusOf(key)) === 401, AT_ONCE_MS);
    await eventually("it has expired there", async () => (await statusOf(key, second)) === 401, AT_ONCE_MS);
  },
  { tags: "slow" },
);

verifies("keys.revoke", "every process rejects a revoked key immediately", async () => {
  for (let round = 0; round < 5; round++) {
    const { id, key } = await create();
    expect([await statusOf(key), await statusOf(key, second)]).toEqual([200, 200]);
    expect((await manage.delete(`/keys/${id}`)).status).toBe(204);
    await ended(key);
    expect(await listedKey(manage, id)).toBeUndefined();
    expect((await manage.delete(`/keys/${id}`)).status).toBe(404);
  }
});

verifies(
  ["keys.reach.change", "keys.reach.deleted", "keys.rename"],
  "a changed limit counts at once in every process and ends streams; a deleted agent grants nothing",
  async () => {
    const api = apiOf(service, workspace.key);
    const [first, other] = [await createAgent(api), await createAgent(api)];
    const { id, key } = await create({ agents: [first.id] });
    const seen = async (on: TestService) => idsOf(await apiOf(on, key).get("/api-agents"));
    expect([await seen(service), await seen(second)]).toEqual([[first.id], [first.id]]);
    const endless = await taskInState(api, { agentId: first.id, status: "running", description: ENDLESS });
    const page = { url: second.url, keys: { agui: key } };
    const reader = await readStream(page, { agentId: first.id, taskId: endless.id });
    await reader.until((events) => events.length > 0);
    const changed = await manage.patch(`/keys/${id}`, { label: "Other", agents: [other.id] });
    expect(fieldsOf(changed)).toMatchObject({ label: "Other", agents: [other.id], teams: null, surfaces: null });
    expect(await seen(service)).toEqual([other.id]);
    await eventually("the other process knows", async () => (await seen(second))[0] === other.id, AT_ONCE_MS);
    expect(await reader.over).toBe("closed");
    await stopTask(api, endless.id);

    const fresh = await rotate(id, 3_600);
    expect(await listedKey(manage, fresh.id)).toMatchObject({ agents: [other.id] });
    expect((await api.delete(`/api-agents?id=${other.id}`)).status).toBe(204);
    expect([await seen(service), await seen(second)]).toEqual([[], []]);
    const gone = await manage.patch(`/keys/${id}`, { agents: [other.id] });
    expect(refusal(gone)).toMatchObject({ status: 400, paths: ["agents"] });
    expect((await manage.patch(`/keys/${id}`, { agents: null })).status).toBe(200);
    expect(await seen(service)).toContain(first.id);
  },
);

verifies("keys.revoke", "a key may revoke itself", async () => {
  const { id, key } = await create();
  expect((await consoleOf(service, key).delete(`/keys/${id}`)).status).toBe(204);
  await ended(key);
});

verifies(
  ["keys.rotate.overlap", "keys.rotate.same"],
  "both keys work during the overlap, and the old one names the new one",
  async () => {
    const old = await create({ label: "Turns", kind: "envelope", scopes: ["read"] });
    expect([await statusOf(old.key), await statusOf(old.key, second)]).toEqual([200, 200]);
    const fresh = await rotate(old.id, 3_600);
    for (const key of [old.key, fresh.key]) {
      expect([await statusOf(key), await statusOf(key, second)]).toEqual([200, 200]);
    }
    const record = await listedKey(manage, old.id);
    expect(record).toMatchObject({ replaced_by: fresh.id });
    const left = Date.parse(String(record?.["expires_at"])) - Date.now();
    expect(Math.abs(left - HOUR_MS)).toBeLessThan(60_000);
    expect(await listedKey(manage, fresh.id)).toMatchObject({
      label: "Turns",
      kind: "envelope",
      scopes: ["read"],
      expires_at: null,
      replaced_by: null,
    });
  },
);

verifies("keys.rotate.overlap", "the overlap ends automatically, or immediately if there is none", async () => {
  const brief = await create();
  expect([await statusOf(brief.key), await statusOf(brief.key, second)]).toEqual([200, 200]);
  const fresh = await rotate(brief.id, 1);
  await eventually("the overlap is over", async () => (await statusOf(brief.key)) === 401, AT_ONCE_MS);
  await eventually("it is over there", async () => (await statusOf(brief.key, second)) === 401, AT_ONCE_MS);
  const next = await rotate(fresh.id, 0);
  await ended(fresh.key);
  expect([await statusOf(next.key), await statusOf(next.key, second)]).toEqual([200, 200]);
});

verifies("keys.rotate.overlap", "the default overlap is a day; one that is too long is rejected", async () => {
  const { id } = await create();
  const wrong = await manage.post(`/keys/${id}/rotate`, { overlap_seconds: -1 });
  expect(refusal(wrong)).toMatchObject({ status: 400, paths: ["overlap_seconds"] });
  const long = await manage.post(`/keys/${id}/rotate`, { overlap_seconds: 31 * 86_400 });
  expect(refusal(long)).toMatchObject({ status: 400, paths: ["overlap_seconds"] });
  remember(shownIn(await manage.post(`/keys/${id}/rotate`, {})));
  const left = Date.parse(String((await listedKey(manage, id))?.["expires_at"])) - Date.now();
  expect(Math.abs(left - 24 * HOUR_MS)).toBeLessThan(60_000);
});

verifies(
  "keys.rotate.overlap",
  "an overlap never prolongs a key; the new one lives as long as the old was to",
  async () => {
    const expires = Date.now() + HOUR_MS;
    const old = await create({ expires_at: new Date(expires).toISOString() });
    const fresh = await rotate(old.id, 86_400);
    expect(Date.parse(String((await listedKey(manage, old.id))?.["expires_at"]))).toBe(expires);
    expect(Math.abs(Date.parse(fresh.expires_at ?? "") - expires)).toBeLessThan(60_000);
  },
);

verifies("keys.rotate.once", "of concurrent rotations in two processes, one creates a key", async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await create();
    const path = `/keys/${id}/rotate`;
    const answers = await Promise.all(
      [manage, consoleOf(second, workspace.key), manage].map((by) => by.post(path, { overlap_seconds: 60 })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    for (const answer of answers) if (answer.status === 409) expect(refusal(answer).code).toBe("conflict");
    expect(refusal(await manage.post(path, {}))).toMatchObject({ status: 409 });
  }
  const expired = await create();
  await sql(service.databaseUrl, "update api_keys set expires_at = now() where id = $1", [expired.id]);
  expect(refusal(await manage.post(`/keys/${expired.id}/rotate`, {}))).toMatchObject({ status: 409 });
});

verifies("keys.never-logged", "no key that was created, used or rejected here is in a log", async () => {
  const wrong = `${(await create()).key}x`;
  expect(await statusOf(wrong)).toBe(401);
  const { key } = fieldsOf(await manage.post("/keys", { label: "Last", kind: "table" }));
  const expired = await addKey(service.databaseUrl, { ...workspace, expiresAt: new Date(0) });
  expect(await statusOf(expired)).toBe(401);
  for (const process of [service, second]) {
    const { stdout, stderr } = process.output();
    expect(stderr).toContain("/console/api/keys");
    for (const hidden of [...made, wrong, String(key), expired]) {
      expect(stdout).not.toContain(hidden);
      expect(stderr).not.toContain(hidden);
      expect(stderr).not.toContain(hashKey(hidden));
    }
  }
});
