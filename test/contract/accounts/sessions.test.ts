import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openDatabase } from "#db/open-database.ts";
import { deleteExpiredSignIns } from "#db/queries/queue/retention.ts";
import { verifyJwt } from "#lib/security/jwt.ts";
import { KEY_BYTES, createSecretBox } from "#lib/security/secret-box.ts";
import { ADA, bearer, postAuth, sessionOf, signIn, whoIs } from "../../support/accounts.ts";
import type { TestSession } from "../../support/accounts.ts";
import { fieldsOf, listOf, refusal, send } from "../../support/api.ts";
import type { Sent } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import type { TestService } from "../../support/service.ts";
import { AT_ONCE_MS, useSessionScene } from "../../support/session-scene.ts";
import type { SessionScene } from "../../support/session-scene.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const HOUR = 3_600;

let scene: SessionScene;

beforeAll(async () => {
  scene = await useSessionScene();
});

/** The session that an access token belongs to. */
function sessionIdOf({ access_token }: TestSession): string {
  const key = createSecretBox(Buffer.alloc(KEY_BYTES, 7)).derive("access-token");
  return z.looseObject({ sid: z.uuid() }).parse(verifyJwt(access_token, key)).sid;
}

verifies("accounts.jwt.lifetime", "an access token lives an hour, and the cookie gives the next one", async () => {
  const key = createSecretBox(Buffer.alloc(KEY_BYTES, 7)).derive("access-token");
  const lifetime = ({ access_token }: TestSession) => {
    const { iat, exp } = z.looseObject({ iat: z.int(), exp: z.int() }).parse(verifyJwt(access_token, key));
    return exp - iat;
  };
  const session = await signIn(scene.one);
  const next = sessionOf(await scene.refresh(session.cookie));
  expect([lifetime(session), lifetime(next), session["expires_in"]]).toEqual([HOUR, HOUR, HOUR]);
  await scene.takenEverywhere(next.access_token);
  const program = await postAuth(scene.one, "token", ADA);
  expect([program.status, program.headers.getSetCookie()]).toEqual([200, []]);
  const byCookie = await postAuth(scene.one, "token", {}, { cookie: next.cookie });
  await scene.takenEverywhere(sessionOf(byCookie).access_token);
});

test("a session continues and ends without any body", async () => {
  const { cookie } = await signIn(scene.one);
  const post = (path: string, from: string) =>
    fetch(`${scene.one.url}/auth/${path}`, {
      method: "POST",
      headers: { cookie: from, "content-type": "application/json" },
    });
  const refreshed = await post("refresh", cookie);
  expect(refreshed.status).toBe(200);
  const next = refreshed.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  expect((await post("token", next)).status).toBe(200);
  expect((await post("sign-out", next)).status).toBe(204);
  expect((await post("refresh", next)).status).toBe(401);
  expect((await post("sign-in", "")).status).toBe(400);
});

verifies("accounts.session.lifetime", "sessions expire and are deleted, and a refresh prolongs them", async () => {
  const left = async (sid: unknown) => {
    const text = "select extract(epoch from expires_at - now())::float8 as seconds from sessions where id = $1";
    const [row] = await sql<{ seconds: number }>(scene.database.url, text, [sid]);
    return row && Math.round(row.seconds / HOUR);
  };
  const session = await signIn(scene.one);
  const sid = sessionIdOf(session);
  const program = sessionOf(await postAuth(scene.one, "token", ADA));
  expect([await left(sid), await left(sessionIdOf(program))]).toEqual([30 * 24, 1]);
  await sql(scene.database.url, "update sessions set expires_at = now() + interval '1 hour' where id = $1", [sid]);
  const next = sessionOf(await scene.refresh(session.cookie));
  expect(await left(sid)).toBe(30 * 24);
  await sql(scene.database.url, "update sessions set expires_at = now() where id = $1", [sid]);
  for (const token of [session.access_token, next.access_token]) {
    expect(refusal(await whoIs(scene.one, token)).status).toBe(401);
  }
  expect(refusal(await scene.refresh(next.cookie)).status).toBe(401);
  const db = openDatabase({ url: scene.database.url, poolSize: 1, onIdleError: () => undefined });
  await deleteExpiredSignIns(db);
  await db.close();
  expect(await sql(scene.database.url, "select from sessions where id = $1", [sid])).toEqual([]);
  expect(await sql(scene.database.url, "select from refresh_tokens where session_id = $1", [sid])).toEqual([]);
  await scene.takenEverywhere(program.access_token);
});

verifies("accounts.session.revocable", "a sign-out ends the session everywhere and deletes the cookie", async () => {
  const session = await signIn(scene.one);
  await scene.takenEverywhere(session.access_token);
  const out = await postAuth(scene.one, "sign-out", {}, { cookie: session.cookie });
  expect([out.status, out.headers.getSetCookie()]).toEqual([
    204,
    [expect.stringMatching(/^muster_refresh=; Max-Age=0/)],
  ]);
  await scene.refusedEverywhere(session.access_token);
  expect(refusal(await scene.refresh(session.cookie)).status).toBe(401);
  expect((await postAuth(scene.one, "sign-out", {})).status).toBe(204);
});

verifies("accounts.session.revocable", "users list their own sessions and end one of them, or all others", async () => {
  const person = { email: "lists@example.org", password: "a long password" };
  const here = sessionOf(await postAuth(scene.one, "sign-up", person, { "user-agent": "Here/1.0" }));
  const [there, third] = [await signIn(scene.other, person), await signIn(scene.one, person)];
  const headers = bearer(here.access_token);
  const list = listOf(await send("GET", `${scene.one.url}/auth/sessions`, { headers }));
  expect(list.map(({ current }) => current)).toEqual([false, false, true]);
  expect(list[2]).toMatchObject({ user_agent: "Here/1.0" });
  await scene.takenEverywhere(there.access_token);
  const stranger = bearer((await signIn(scene.one)).access_token);
  const endThere = `${scene.one.url}/auth/sessions/${String(list[1]?.["id"])}`;
  expect(refusal(await send("DELETE", endThere, { headers: stranger })).status).toBe(404);
  expect(refusal(await send("DELETE", `${scene.one.url}/auth/sessions/x`, { headers })).status).toBe(400);
  expect((await send("DELETE", endThere, { headers })).status).toBe(204);
  expect(refusal(await send("DELETE", endThere, { headers })).status).toBe(404);
  await scene.refusedEverywhere(there.access_token);
  await scene.takenEverywhere(third.access_token);
  const unnamed = await send("DELETE", `${scene.one.url}/auth/sessions`, {});
  expect(refusal(unnamed)).toMatchObject({ status: 401, message: "Send an access token in Authorization: Bearer." });
  expect(unnamed.headers.get("www-authenticate")).toBe("Bearer");
  expect((await send("DELETE", `${scene.one.url}/auth/sessions`, { headers })).status).toBe(204);
  await scene.refusedEverywhere(third.access_token);
  await scene.takenEverywhere(here.access_token);
  expect(listOf(await send("GET", `${scene.one.url}/auth/sessions`, { headers }))).toHaveLength(1);
});

verifies("accounts.session.revocable", "only signed-in people have sessions; keys and visitors have none", async () => {
  const credentials: NonNullable<Sent["headers"]>[] = [
    {},
    { "x-api-key": scene.one.keys.api },
    bearer(scene.one.keys.api),
  ];
  for (const headers of credentials) {
    for (const [method, path] of [
      ["GET", "sessions"],
      ["DELETE", "sessions"],
      ["DELETE", `sessions/${scene.one.keys.api}`],
      ["POST", "password"],
    ] as const) {
      const answer = await send(method, `${scene.one.url}/auth/${path}`, {
        headers,
        ...(method === "POST" && { body: {} }),
      });
      expect([method, path, refusal(answer).status]).toEqual([method, path, 401]);
    }
  }
});

verifies(
  ["accounts.session.role-now", "auth.envelope.role-too-low-403"],
  "a token's rights follow the member's role in every process, and end with the membership",
  async () => {
    const { workspaceId } = await addWorkspace(scene.database.url);
    const { user, access_token: elsewhere } = await signIn(scene.one);
    const at = [workspaceId, user.id];
    await sql(scene.database.url, "insert into members (workspace_id, user_id, role) values ($1, $2, 'member')", at);
    const { access_token } = sessionOf(await postAuth(scene.one, "sign-in", { ...ADA, workspace_id: workspaceId }));
    const write = async (service: TestService) => {
      const body = { name: "A", model: "demo" };
      const sent = { headers: bearer(access_token), body };
      return (await send("POST", `${service.url}/functions/v1/api-agents`, sent)).status;
    };
    expect([await write(scene.one), await write(scene.other)]).toEqual([201, 201]);
    const setRole = "update members set role = $3 where workspace_id = $1 and user_id = $2";
    await sql(scene.database.url, setRole, [...at, "viewer"]);
    for (const service of [scene.one, scene.other]) {
      await eventually("the lower role counts", async () => (await write(service)) === 403, AT_ONCE_MS);
    }
    await scene.takenEverywhere(access_token);
    await sql(scene.database.url, "delete from members where workspace_id = $1 and user_id = $2", at);
    await scene.refusedEverywhere(access_token);
    await scene.takenEverywhere(elsewhere);
  },
);

verifies("accounts.password.change", "with the old password a user sets a new one; other sessions end", async () => {
  const person = { email: "changes@example.org", password: "the old password" };
  const here = sessionOf(await postAuth(scene.one, "sign-up", person));
  const there = await signIn(scene.other, person);
  await scene.takenEverywhere(there.access_token);
  const change = (current_password: string, new_password: string) =>
    postAuth(scene.one, "password", { current_password, new_password }, bearer(here.access_token));
  expect(refusal(await change("a guess", "the new password"))).toMatchObject({ status: 403, code: "forbidden" });
  expect(refusal(await change(person.password, "short")).paths).toEqual(["new_password"]);
  expect((await change(person.password, "the new password")).status).toBe(204);
  await scene.refusedEverywhere(there.access_token);
  expect(refusal(await scene.refresh(there.cookie)).status).toBe(401);
  await scene.takenEverywhere(here.access_token);
  expect(refusal(await postAuth(scene.one, "sign-in", person)).status).toBe(401);
  const { user } = await signIn(scene.other, { ...person, password: "the new password" });
  expect(fieldsOf(await whoIs(scene.one, here.access_token))["id"]).toBe(user.id);
});

verifies("accounts.sessions.ended-by-admin", "an admin ends all sessions of a member, and no owner's", async () => {
  const { databaseUrl } = scene.one;
  const owner = await signIn(scene.one);
  const [admin, bea] = ["admin", "member"].map((role) => ({ role, email: `${role}-${owner.user.id}@example.org` }));
  const sessions: TestSession[] = [];
  for (const { email = "", role } of [admin, bea].flatMap((one) => one ?? [])) {
    await postAuth(scene.one, "sign-up", { email, password: ADA.password });
    const session = await signIn(scene.one, { email, password: ADA.password });
    const join = "insert into members (workspace_id, user_id, role) values ($1, $2, $3)";
    await sql(databaseUrl, join, [owner.workspace_id, session.user.id, role]);
    sessions.push(sessionOf(await scene.refresh(session.cookie)));
  }
  const [asAdmin, asBea] = sessions;
  const workspace_id = owner.workspace_id;
  const inWorkspace = async (session: TestSession | undefined) =>
    sessionOf(await postAuth(scene.one, "refresh", { workspace_id }, { cookie: session?.cookie ?? "" }));
  const [first, second] = [await inWorkspace(asAdmin), await inWorkspace(asBea)];
  await scene.takenEverywhere(second.access_token);
  const end = (by: TestSession, whose: TestSession) => {
    const url = `${scene.one.url}/console/api/members/${whose.user.id}/sessions`;
    return send("DELETE", url, { headers: bearer(by.access_token) });
  };
  expect([(await end(second, first)).status, (await end(first, owner)).status]).toEqual([403, 403]);
  expect((await end(first, second)).status).toBe(204);
  await scene.refusedEverywhere(second.access_token);
  expect((await scene.refresh(second.cookie)).status).toBe(401);
  await scene.takenEverywhere(first.access_token);
  const log = await send("GET", `${scene.one.url}/console/api/audit?action=session.deleted`, {
    headers: bearer(first.access_token),
  });
  const entry = { actor: { id: first.user.id }, subject: { kind: "member", id: second.user.id } };
  expect(fieldsOf(log)["items"]).toEqual([
    expect.objectContaining({
      ...entry,
      actor: expect.objectContaining(entry.actor),
      subject: expect.objectContaining(entry.subject),
    }),
  ]);
});
