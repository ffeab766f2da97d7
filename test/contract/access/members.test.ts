import { afterAll, beforeAll, expect } from "vitest";
import type { Role } from "#domain/access/role.ts";
import { ROLES } from "#domain/access/role.ts";
import { apiOf, consoleOf, listOf, refusal } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startPeer } from "../../support/service.ts";
import type { TestAccess, TestService } from "../../support/service.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey, addMember, addWorkspace, sql } from "../../support/workspace.ts";
import type { TestMember } from "../../support/workspace.ts";

/** Well below the time for which a process trusts its memory of a key. */
const AT_ONCE_MS = 15_000;

let service: SharedService;
let second: TestService;

beforeAll(async () => {
  service = await useSharedService();
  second = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys });
});
afterAll(async () => {
  await second.stop();
});

/** A workspace with a person of each role, the owner first. */
async function workspaceWithRoles() {
  const { workspaceId, ownerId, key } = await addWorkspace(service.databaseUrl);
  const add = (role: Role) => addMember(service.databaseUrl, workspaceId, role);
  const owner: TestMember = { userId: ownerId, key };
  return { workspaceId, owner, admin: await add("admin"), member: await add("member"), viewer: await add("viewer") };
}

function setRole(actor: TestMember, of: TestMember, role: Role, on: TestAccess = service): Promise<Answer> {
  return consoleOf(on, actor.key).patch(`/members/${of.userId}`, { role });
}

function remove(actor: TestMember, whom: TestMember, on: TestAccess = service): Promise<Answer> {
  return consoleOf(on, actor.key).delete(`/members/${whom.userId}`);
}

async function rolesIn(workspaceId: string): Promise<Record<string, string>> {
  const rows = await sql<{ user_id: string; role: string }>(
    service.databaseUrl,
    "select user_id, role from members where workspace_id = $1",
    [workspaceId],
  );
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]));
}

verifies("accounts.members.list", "every member sees all members, their roles and since when", async () => {
  const { owner, admin, member, viewer } = await workspaceWithRoles();
  const people = [owner, admin, member, viewer];
  for (const { key } of people) {
    const list = listOf(await consoleOf(service, key).get("/members"));
    expect(list.map(({ user_id, role }) => [user_id, role])).toEqual(
      people.map(({ userId }, index) => [userId, ROLES.toReversed()[index]]),
    );
    expect(Object.keys(list[0] ?? {})).toEqual(["user_id", "email", "name", "role", "can_answer", "created_at"]);
  }
});

/** Who may make which change; every other one is rejected. */
const allowed: Readonly<Record<Role, { readonly of: readonly Role[]; readonly to: readonly Role[] }>> = {
  viewer: { of: [], to: [] },
  member: { of: [], to: [] },
  admin: { of: ["viewer", "member", "admin"], to: ["viewer", "member", "admin"] },
  owner: { of: ROLES, to: ROLES },
};

for (const actorRole of ROLES) {
  verifies(
    ["accounts.members.roles", "accounts.members.owners-by-owners"],
    `which memberships a person changes who is ${actorRole}`,
    async () => {
      const { workspaceId, owner, ...people } = await workspaceWithRoles();
      const actor = actorRole === "owner" ? owner : people[actorRole];
      for (const from of ROLES) {
        const target = await addMember(service.databaseUrl, workspaceId, from);
        for (const to of ROLES) {
          await sql(service.databaseUrl, "update members set role = $2 where user_id = $1", [target.userId, from]);
          const may = allowed[actorRole].of.includes(from) && allowed[actorRole].to.includes(to);
          const answer = await setRole(actor, target, to);
          expect([from, to, answer.status]).toEqual([from, to, may ? 200 : 403]);
          const now = (await rolesIn(workspaceId))[target.userId];
          expect([from, to, now]).toEqual([from, to, may ? to : from]);
          if (may) expect(answer.body).toMatchObject({ user_id: target.userId, role: to });
          else expect(refusal(answer)).toMatchObject({ code: "forbidden" });
        }
        await sql(service.databaseUrl, "update members set role = $2 where user_id = $1", [target.userId, from]);
        const may = allowed[actorRole].of.includes(from);
        expect([from, (await remove(actor, target)).status]).toEqual([from, may ? 204 : 403]);
        expect([from, (await rolesIn(workspaceId))[target.userId]]).toEqual([from, may ? undefined : from]);
      }
    },
  );
}

verifies("accounts.members.leave", "every member can leave, and loses access", async () => {
  const { workspaceId, owner, admin, member, viewer } = await workspaceWithRoles();
  for (const person of [viewer, member, admin]) {
    expect((await remove(person, person)).status).toBe(204);
    expect((await apiOf(service, person.key).get("/api-me")).status).toBe(401);
  }
  expect(await rolesIn(workspaceId)).toEqual({ [owner.userId]: "owner" });
});

verifies(
  "accounts.members.leave",
  "a key without the write scope cannot leave the workspace for its creator",
  async () => {
    const { workspaceId, member } = await workspaceWithRoles();
    const key = await addKey(service.databaseUrl, { workspaceId, ownerId: member.userId, scopes: ["read"] });
    expect(refusal(await remove({ ...member, key }, member))).toMatchObject({ status: 403, code: "forbidden" });
  },
);

verifies("accounts.members.last-owner", "the last owner can neither leave nor be demoted", async () => {
  const { workspaceId, owner, admin } = await workspaceWithRoles();
  for (const answer of [await remove(owner, owner), await setRole(owner, owner, "admin")]) {
    expect(refusal(answer)).toMatchObject({ status: 409, code: "conflict" });
  }
  expect(await rolesIn(workspaceId)).toMatchObject({ [owner.userId]: "owner" });
  expect((await setRole(owner, owner, "owner")).status).toBe(200);
  expect((await setRole(owner, admin, "owner")).status).toBe(200);
  expect((await remove(owner, owner)).status).toBe(204);
  expect(refusal(await remove(admin, admin))).toMatchObject({ status: 409, code: "conflict" });
});

verifies("accounts.members.last-owner", "of two owners who leave concurrently, one stays", async () => {
  for (let round = 0; round < 5; round++) {
    const { workspaceId, owner } = await workspaceWithRoles();
    const other = await addMember(service.databaseUrl, workspaceId, "owner");
    const ways: readonly (() => Promise<Answer>)[] = [
      () => remove(owner, owner),
      () => (round % 2 === 0 ? remove(other, other, second) : setRole(other, other, "member", second)),
    ];
    const answers = await Promise.all(ways.map((way) => way()));
    for (const answer of answers) if (answer.status >= 300) expect(refusal(answer)).toMatchObject({ status: 409 });
    expect(answers.map(({ status }) => (status < 300 ? "done" : "refused")).toSorted()).toEqual(["done", "refused"]);
    const left = Object.values(await rolesIn(workspaceId)).filter((role) => role === "owner");
    expect(left).toEqual(["owner"]);
  }
});

verifies("accounts.members.last-owner", "after two owners demote each other concurrently, one is left", async () => {
  const { workspaceId, owner } = await workspaceWithRoles();
  const other = await addMember(service.databaseUrl, workspaceId, "owner");
  const answers = await Promise.all([setRole(owner, other, "viewer"), setRole(other, owner, "viewer", second)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(Object.values(await rolesIn(workspaceId)).filter((role) => role === "owner")).toHaveLength(1);
});

verifies(
  "accounts.members.keys-end",
  "every process rejects a removed member's keys immediately, also after the person returns",
  async () => {
    const { workspaceId, owner, member } = await workspaceWithRoles();
    const reader = await addKey(service.databaseUrl, { workspaceId, ownerId: member.userId, scopes: ["read"] });
    const elsewhere = await addWorkspace(service.databaseUrl);
    await sql(service.databaseUrl, "insert into members (workspace_id, user_id, role) values ($1, $2, 'member')", [
      elsewhere.workspaceId,
      member.userId,
    ]);
    const kept = await addKey(service.databaseUrl, { workspaceId: elsewhere.workspaceId, ownerId: member.userId });
    const asked = () =>
      Promise.all(
        [member.key, reader].flatMap((key) => [service, second].map((on) => apiOf(on, key).get("/api-me"))),
      ).then((answers) => answers.map(({ status }) => status));
    expect(await asked()).toEqual([200, 200, 200, 200]);
    expect((await remove(owner, member)).status).toBe(204);
    expect((await asked()).filter((_, index) => index % 2 === 0)).toEqual([401, 401]);
    await eventually("no key works", async () => (await asked()).every((status) => status === 401), AT_ONCE_MS);
    expect((await apiOf(second, kept).get("/api-me")).status).toBe(200);
    await sql(service.databaseUrl, "insert into members (workspace_id, user_id, role) values ($1, $2, 'member')", [
      workspaceId,
      member.userId,
    ]);
    expect(await asked()).toEqual([401, 401, 401, 401]);
  },
);

verifies("accounts.members.role-at-once", "a new role applies immediately to the person's keys", async () => {
  const { owner, member } = await workspaceWithRoles();
  const write = (on: TestAccess) => apiOf(on, member.key).post("/api-agents", { name: "A", model: "demo" });
  expect([(await write(service)).status, (await write(second)).status]).toEqual([201, 201]);
  expect((await setRole(owner, member, "viewer")).status).toBe(200);
  expect(refusal(await write(service))).toMatchObject({ status: 403, code: "forbidden" });
  await eventually("the other process knows", async () => (await write(second)).status === 403, AT_ONCE_MS);
});

verifies("accounts.members.foreign-looks-unknown", "people of another workspace look like unknown ones", async () => {
  const { owner } = await workspaceWithRoles();
  const { member } = await workspaceWithRoles();
  const nobody = { ...member, userId: "01940000-0000-7000-8000-000000000000" };
  for (const whom of [member, nobody]) {
    for (const answer of [await remove(owner, whom), await setRole(owner, whom, "viewer")]) {
      expect(refusal(answer)).toMatchObject({ status: 404, message: "Member not found" });
    }
  }
  expect((await apiOf(service, member.key).get("/api-me")).status).toBe(200);
  const api = consoleOf(service, owner.key);
  expect(refusal(await api.delete("/members/me"))).toMatchObject({ status: 400, paths: ["userId"] });
  expect(refusal(await api.patch(`/members/${owner.userId}`, { role: "king" }))).toMatchObject({
    status: 400,
    paths: ["role"],
  });
});
