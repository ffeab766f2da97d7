import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { KEY_KINDS, hashKey } from "#domain/access/api-key.ts";
import type { KeyKind } from "#domain/access/api-key.ts";
import { apiOf, consoleOf, fieldsOf, listOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey, addMember, addWorkspace, sql } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

/** Well below the time for which a process trusts its memory of a key. */
const AT_ONCE_MS = 15_000;
const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const HOUR_MS = 3_600_000;
const FIELDS = "id prefix label kind scopes last_used_at expires_at replaced_by created_by created_at".split(" ");

const shown = z.looseObject({ id: z.string(), key: z.string(), expires_at: z.string().nullable() });
type Shown = z.output<typeof shown>;

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

async function create(fields: Readonly<Record<string, unknown>> = {}, by = manage): Promise<Shown> {
  return shownIn(await by.post("/keys", { label: "Mine", kind: "envelope", ...fields }));
}

async function rotate(id: string, overlapSeconds: number, by = manage): Promise<Shown> {
  return shownIn(await by.post(`/keys/${id}/rotate`, { overlap_seconds: overlapSeconds }));
}

function shownIn(answer: Answer): Shown {
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const key = shown.parse(answer.body);
  made.push(key.key);
  return key;
}

async function listed(id: string, by = manage): Promise<Record<string, unknown> | undefined> {
  return listOf(await by.get("/keys")).find((key) => key["id"] === id);
}

async function statusOf(key: string, on: TestService = service): Promise<number> {
  return (await apiOf(on, key).get("/api-me")).status;
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
  ["keys.list.fields", "keys.shown-once", "keys.stored.sha-256-only"],
  "every member sees a key's fields in the list, and no one its text",
  async () => {
    const expires = new Date(Date.now() + HOUR_MS).toISOString();
    const { id, key } = await create({ label: "  For CI ", scopes: ["write", "read", "read"], expires_at: expires });
    const viewer = await addMember(service.databaseUrl, workspace.workspaceId, "viewer");
    for (const by of [manage, consoleOf(service, viewer.key)]) {
      const answer = await by.get("/keys");
      const record = listOf(answer).find((one) => one["id"] === id);
      expect(Object.keys(record ?? {})).toEqual(FIELDS);
      expect(record).toMatchObject({
        prefix: key.slice(0, 12),
        label: "For CI",
        kind: "envelope",
        scopes: ["read", "write"],
        last_used_at: null,
        replaced_by: null,
        created_by: workspace.ownerId,
      });
      expect(Date.parse(String(record?.["expires_at"]))).toBe(Date.parse(expires));
      for (const hidden of [key, hashKey(key), workspace.key]) expect(answer.text).not.toContain(hidden);
    }
    expect(await statusOf(key)).toBe(200);
    expect(await listed(id)).toMatchObject({ last_used_at: expect.stringMatching(/Z$/) });
    const times = listOf(await manage.get("/keys")).map((one) => String(one["created_at"]));
    expect(times).toEqual(times.toSorted().toReversed());
  },
);

verifies("keys.create.kinds", "an invalid key is rejected with the field", async () => {
  const before = listOf(await manage.get("/keys")).length;
  const cases: readonly (readonly [object, string])[] = [
    [{ label: "" }, "label"],
    [{ label: "x".repeat(101) }, "label"],
    [{ label: "\u0000" }, "label"],
    [{ kind: "anon" }, "kind"],
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["admin"] }, "scopes.0"],
    [{ expires_at: "tomorrow" }, "expires_at"],
    [{ expires_at: new Date(Date.now() - 1).toISOString() }, "expires_at"],
    [{ key: "mst_mine" }, "key"],
  ];
  for (const [fields, path] of cases) {
    const answer = await manage.post("/keys", { label: "Mine", kind: "envelope", ...fields });
    expect([fields, refusal(answer)]).toMatchObject([fields, { status: 400, paths: [path] }]);
  }
  expect(listOf(await manage.get("/keys"))).toHaveLength(before);
});

verifies("keys.create.kinds", "a key that expires is rejected from then on", async () => {
  const { key } = await create({ expires_at: new Date(Date.now() + 6_000).toISOString() });
  expect([await statusOf(key), await statusOf(key, second)]).toEqual([200, 200]);
  await eventually("it has expired", async () => (await statusOf(key)) === 401, AT_ONCE_MS);
  await eventually("it has expired there", async () => (await statusOf(key, second)) === 401, AT_ONCE_MS);
});

verifies("keys.create.no-more-than-maker", "a key without the write scope creates no keys", async () => {
  const reader = await create({ scopes: ["read"] });
  const by = consoleOf(service, reader.key);
  const other = await create();
  const answers = [
    await by.post("/keys", { label: "More", kind: "envelope" }),
    await by.post(`/keys/${reader.id}/rotate`, {}),
    await by.patch(`/keys/${reader.id}`, { label: "More" }),
    await by.delete(`/keys/${other.id}`),
  ];
  for (const answer of answers) expect(refusal(answer)).toMatchObject({ status: 403, code: "forbidden" });
  expect((await by.get("/keys")).status).toBe(200);
  const writer = await create({ scopes: ["write"] });
  const more = await consoleOf(service, writer.key).post("/keys", { label: "More", kind: "envelope" });
  expect(refusal(more)).toMatchObject({ status: 403, code: "forbidden" });
  expect(refusal(more).message).toContain("read");
});

verifies(
  "keys.create.no-more-than-maker",
  "an admin's key, new or rotated from an owner's, does what an admin may do",
  async () => {
    const admin = await addMember(service.databaseUrl, workspace.workspaceId, "admin");
    const by = consoleOf(service, admin.key);
    const owners = await create();
    for (const key of [await create({}, by), await rotate(owners.id, 0, by)]) {
      expect(await listed(key.id)).toMatchObject({ created_by: admin.userId });
      const api = consoleOf(service, key.key);
      expect((await api.get("/workspace")).body).toMatchObject({ role: "admin" });
      const toOwner = await api.patch(`/members/${admin.userId}`, { role: "owner" });
      expect(refusal(toOwner)).toMatchObject({ status: 403 });
    }
  },
);

verifies("keys.rename", "a key's label is changed, and nothing else can be", async () => {
  const { id } = await create();
  const before = await listed(id);
  const renamed = await manage.patch(`/keys/${id}`, { ...before, label: "Other" });
  expect([renamed.status, renamed.body]).toEqual([200, { ...before, label: "Other" }]);
  expect((await manage.patch(`/keys/${id}`, {})).body).toEqual({ ...before, label: "Other" });
  expect(refusal(await manage.patch(`/keys/${id}`, { key: "x" }))).toMatchObject({ status: 400, paths: ["key"] });
  expect(refusal(await manage.patch(`/keys/${id}`, { label: "" }))).toMatchObject({ status: 400, paths: ["label"] });
});

verifies("keys.revoke", "every process rejects a revoked key immediately", async () => {
  for (let round = 0; round < 5; round++) {
    const { id, key } = await create();
    expect([await statusOf(key), await statusOf(key, second)]).toEqual([200, 200]);
    expect((await manage.delete(`/keys/${id}`)).status).toBe(204);
    await ended(key);
    expect(await listed(id)).toBeUndefined();
    expect((await manage.delete(`/keys/${id}`)).status).toBe(404);
  }
});

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
    const record = await listed(old.id);
    expect(record).toMatchObject({ replaced_by: fresh.id });
    const left = Date.parse(String(record?.["expires_at"])) - Date.now();
    expect(Math.abs(left - HOUR_MS)).toBeLessThan(60_000);
    expect(await listed(fresh.id)).toMatchObject({
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
  shownIn(await manage.post(`/keys/${id}/rotate`, {}));
  const left = Date.parse(String((await listed(id))?.["expires_at"])) - Date.now();
  expect(Math.abs(left - 24 * HOUR_MS)).toBeLessThan(60_000);
});

verifies(
  "keys.rotate.overlap",
  "an overlap never prolongs a key; the new one lives as long as the old was to",
  async () => {
    const expires = Date.now() + HOUR_MS;
    const old = await create({ expires_at: new Date(expires).toISOString() });
    const fresh = await rotate(old.id, 86_400);
    expect(Date.parse(String((await listed(old.id))?.["expires_at"]))).toBe(expires);
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

verifies("keys.foreign-looks-unknown", "a key of another workspace looks like an unknown one", async () => {
  const other = await addWorkspace(service.databaseUrl);
  const foreign = await create({}, consoleOf(service, other.key));
  for (const id of [foreign.id, UNKNOWN]) {
    for (const answer of [
      await manage.patch(`/keys/${id}`, { label: "X" }),
      await manage.delete(`/keys/${id}`),
      await manage.post(`/keys/${id}/rotate`, {}),
    ]) {
      expect(refusal(answer)).toMatchObject({ status: 404, message: "Key not found" });
    }
  }
  expect(refusal(await manage.delete("/keys/mine"))).toMatchObject({ status: 400, paths: ["id"] });
  expect(await listed(foreign.id)).toBeUndefined();
  expect(await statusOf(foreign.key)).toBe(200);
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
