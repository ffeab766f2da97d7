import { beforeAll, expect } from "vitest";
import { hashKey } from "#domain/access/api-key.ts";
import { consoleOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createKey, keyStatus, listedKey, rotateKey } from "../../support/keys.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { addMember, addWorkspace } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const HOUR_MS = 3_600_000;
const FIELDS = [
  ..."id prefix label kind scopes surfaces agents teams networks last_used_at expires_at expiry_warning replaced_by".split(
    " ",
  ),
  ..."created_by service_account_id created_at".split(" "),
];

let service: SharedService;
let workspace: TestWorkspace;
let manage: Api;

beforeAll(async () => {
  service = await useSharedService();
  workspace = await addWorkspace(service.databaseUrl);
  manage = consoleOf(service, workspace.key);
});

verifies(
  ["keys.list.fields", "keys.shown-once", "keys.stored.sha-256-only"],
  "every member sees a key's fields in the list, and no one its text",
  async () => {
    const expires = new Date(Date.now() + HOUR_MS).toISOString();
    const { id, key } = await createKey(manage, {
      label: "  For CI ",
      scopes: ["write", "read", "read"],
      expires_at: expires,
    });
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
    expect(await keyStatus(service, key)).toBe(200);
    expect(await listedKey(manage, id)).toMatchObject({ last_used_at: expect.stringMatching(/Z$/) });
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

verifies("keys.create.no-more-than-maker", "a key without the write scope creates no keys", async () => {
  const reader = await createKey(manage, { scopes: ["read"] });
  const by = consoleOf(service, reader.key);
  const other = await createKey(manage);
  const answers = [
    await by.post("/keys", { label: "More", kind: "envelope" }),
    await by.post(`/keys/${reader.id}/rotate`, {}),
    await by.patch(`/keys/${reader.id}`, { label: "More" }),
    await by.delete(`/keys/${other.id}`),
  ];
  for (const answer of answers) expect(refusal(answer)).toMatchObject({ status: 403, code: "forbidden" });
  expect((await by.get("/keys")).status).toBe(200);
  const writer = await createKey(manage, { scopes: ["write"] });
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
    const owners = await createKey(manage);
    for (const key of [await createKey(by), await rotateKey(by, owners.id, 0)]) {
      expect(await listedKey(manage, key.id)).toMatchObject({ created_by: admin.userId });
      const api = consoleOf(service, key.key);
      expect((await api.get("/workspace")).body).toMatchObject({ role: "admin" });
      const toOwner = await api.patch(`/members/${admin.userId}`, { role: "owner" });
      expect(refusal(toOwner)).toMatchObject({ status: 403 });
    }
  },
);

verifies("keys.rename", "a key's label is changed, and unknown fields are rejected", async () => {
  const { id } = await createKey(manage);
  const before = await listedKey(manage, id);
  const renamed = await manage.patch(`/keys/${id}`, { ...before, label: "Other" });
  expect([renamed.status, renamed.body]).toEqual([200, { ...before, label: "Other" }]);
  expect((await manage.patch(`/keys/${id}`, {})).body).toEqual({ ...before, label: "Other" });
  expect(refusal(await manage.patch(`/keys/${id}`, { key: "x" }))).toMatchObject({ status: 400, paths: ["key"] });
  expect(refusal(await manage.patch(`/keys/${id}`, { label: "" }))).toMatchObject({ status: 400, paths: ["label"] });
});

verifies("keys.foreign-looks-unknown", "a key of another workspace looks like an unknown one", async () => {
  const other = await addWorkspace(service.databaseUrl);
  const foreign = await createKey(consoleOf(service, other.key));
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
  expect(await listedKey(manage, foreign.id)).toBeUndefined();
  expect(await keyStatus(service, foreign.key)).toBe(200);
});
