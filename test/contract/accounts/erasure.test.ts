import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { erasureRecord } from "#domain/access/erasure.ts";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import { ADA_ENV, postAuth, sessionOf, signIn, whoIs } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { uploadTo } from "../../support/files.ts";
import { addText, createBase, documentRead } from "../../support/knowledge.ts";
import { runMuster, startMuster } from "../../support/muster.ts";
import { plantEverywhere, searchAll } from "../../support/planted.ts";
import { ENCRYPTION_KEY, createDatabase, createKeys, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { addKey, addMember, addWorkspace, openWorkspace, sql } from "../../support/workspace.ts";

const MARK = "Zanzibarite";
const keys = createKeys();
let database: TestDatabase;
let folder: string;
let service: TestService;

const start = () => startService({ databaseUrl: database.url, keys, env: { ...ADA_ENV, MUSTER_DATA: folder } });

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), "muster-erasure-"));
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

const settings = () => ({
  env: { DATABASE_URL: database.url, ENCRYPTION_KEY, MUSTER_DATA: folder },
  cwd: tmpdir(),
});
const erase = (...args: string[]) => runMuster(["erase", ...args], settings());
const receiptOf = (text: string) => erasureRecord.parse(JSON.parse(text));

/** Puts the mark where people can put a text, through the API. */
async function use(key: string): Promise<void> {
  const [api, desk] = [apiOf(service, key), consoleOf(service, key)];
  expect((await desk.patch("/workspace", { name: `${MARK} Works` })).status).toBe(200);
  const { id: agentId } = await createAgent(api, { name: MARK, system_prompt: MARK, tags: [MARK] });
  const { id } = await createTask(api, { title: MARK, description: `[[say:${MARK}]]`, assigned_agent_id: agentId });
  expect((await taskIn(api, id, "completed")).result).toContain(MARK);
  const place = { ...service, keys: { ...keys, api: key } };
  await uploadTo(place, { name: `${MARK}.txt`, type: "text/plain", content: MARK });
  const baseId = await createBase(desk, { name: MARK });
  const { id: documentId } = await addText(desk, baseId, { name: MARK, text: MARK });
  await documentRead(desk, documentId);
  for (const [path, body] of [
    ["/invitations", { email: `${MARK}@localhost.localdomain`, role: "viewer" }],
    ["/service-accounts", { name: MARK, role: "member" }],
    ["teams", { name: MARK, mode: "pipeline", config: { steps: [{ agent_id: agentId, instructions: MARK }] } }],
    ["/triggers", { name: MARK, title: MARK, assigned_agent_id: agentId }],
    ["/voice-profiles", { name: MARK, tone: "Formal", custom_instructions: MARK }],
    ["/output-templates", { name: MARK, type: "Markdown", body: `${MARK} {{task_result}}` }],
  ] as const) {
    const to = path.startsWith("/") ? desk : api;
    const answer = await to.post(to === api ? "/api-teams" : path, body, { "idempotency-key": `${MARK}${path}` });
    expect([path, answer.status]).toEqual([path, 201]);
  }
  const found = await searchAll(database.url, folder, MARK);
  const places = [
    /^agents$/,
    /^run_steps_/,
    /^task_events_/,
    /^idempotent_answers$/,
    /^passages$/,
    /^workspace_slugs$/,
    /files\/files\//,
  ];
  for (const place of places) expect(found).toContainEqual(expect.stringMatching(place));
}

verifies(
  ["ops.erase.planted", "ops.erase.receipt"],
  "after two erasures at once no planted text is left in any column or file, and receipts count it",
  async () => {
    const [used, full] = [await addWorkspace(database.url), await addWorkspace(database.url)];
    await use(used.key);
    // Its name is in the log of the first workspace.
    await runMuster(["ops", "hold", used.workspaceId], settings());
    await runMuster(["ops", "release", used.workspaceId], settings());
    const neighbour = await openWorkspace(service);
    const kept = await createAgent(neighbour.api, { name: "Kept" });
    await service.stop();
    const planted = await plantEverywhere(database.url, { ...full, text: MARK });
    expect(planted.length).toBeGreaterThan(200);
    expect((await erase("--workspace", used.workspaceId)).code).toBe(2);
    expect((await erase("--workspace", used.workspaceId, "--confirm", "Wrong")).code).toBe(1);
    const done = await Promise.all([
      erase("--workspace", used.workspaceId, "--confirm", `${MARK} Works`),
      erase("--workspace", full.workspaceId, "--confirm", "Another workspace"),
    ]);
    expect(done.map(({ code, stderr }) => [code, stderr])).toEqual(done.map(() => [0, ""]));
    const [one, other] = done.map(({ stdout }) => receiptOf(stdout));
    expect(one).toMatchObject({ kind: "workspace", subject_id: used.workspaceId, requested_by: null });
    expect([one?.ended_at, other?.ended_at]).not.toContain(null);
    expect(one?.removed).toMatchObject({
      workspaces: 1,
      files: 1,
      knowledge_documents: 1,
      runs: 1,
      service_accounts: 1,
    });
    expect(Object.keys(other?.removed ?? {}).length).toBeGreaterThan(60);
    expect(JSON.stringify(done)).not.toContain(MARK);
    expect(await searchAll(database.url, folder, MARK)).toEqual([]);
    // A receipt can be read again, and others have lost nothing.
    expect(receiptOf((await erase("--workspace", one?.id ?? "")).stdout)).toEqual(one);
    const listed = await runMuster(["ops", "erasures", "--json"], settings());
    expect(JSON.parse(listed.stdout)).toEqual(expect.arrayContaining([one, other]));
    service = await start();
    expect((await apiOf(service, neighbour.key).get(`/api-agents?id=${kept.id}`)).status).toBe(200);
  },
  { tags: "slow" },
);

/** Someone whose name, address and belongings all have a mark, and who works in a workspace of others. */
async function person(mark: string) {
  const email = `${mark}@example.org`;
  const password = "correct horse battery";
  const signedUp = await postAuth(service, "sign-up", { email, name: `${mark} Lovelace`, password });
  const { user, workspace_id: own } = sessionOf(signedUp);
  const place = await openWorkspace(service);
  await sql(
    database.url,
    `with joined as (insert into members (workspace_id, user_id, role) values ($1, $2, 'admin')),
       pass as (insert into passkeys (id, user_id, credential_id, public_key, counter, name)
         values (gen_random_uuid(), $2, $3, $3, 0, $3)),
       grants as (insert into google_connections (id, workspace_id, email, tokens_ciphertext, expires_at, status, connected_by)
         values (gen_random_uuid(), $1, $3, 'x', now(), 'disabled', $2)),
       asked as (insert into closed_questions (interaction_id, workspace_id, subject_id, state, request, asked_at, deadline, answered_by, answered_via)
         values ($4, $1, $4, 'answered', '{}', now(), now(), $2, 'console')),
       mailed as (update users set question_mails = '{approvals}' where id = $2),
       route as (insert into output_routes (id, workspace_id, name, type, events, is_active, config, host, retry_delays, members)
         values ($4, $1, 'Seed', 'http', '{task.completed}', false, '{"url":"https://localhost/"}', 'localhost', '{5}',
           jsonb_build_array(jsonb_build_object('member', $2, 'user_id', $3))) returning id),
       voted as (insert into question_votes (interaction_id, user_id, workspace_id, subject_id, approved, via)
         values ($4, $2, $1, $4, true, 'console'))
     insert into identities (issuer, subject, user_id) values ('https://id.example', $3, $2)`,
    [place.workspaceId, user.id, email, newId()],
  );
  await sql(
    database.url,
    `insert into channel_messages (id, workspace_id, route_id, message_key, channel, conversation, person_id, person_name, text, outcome)
     select gen_random_uuid(), workspace_id, id, 'm', 'c', 'c', $1, $1, 'hello', 'accepted' from output_routes
     where workspace_id = $2`,
    [email, place.workspaceId],
  );
  const session = await signIn(service, { email, password });
  const key = await addKey(database.url, { workspaceId: place.workspaceId, ownerId: user.id });
  const desk = consoleOf(service, key);
  const repeat = { "idempotency-key": mark };
  expect(
    (await desk.post("/keys", { label: `${mark}'s laptop`, kind: "envelope", scopes: ["read"] }, repeat)).status,
  ).toBe(201);
  expect((await desk.post("/invitations", { email: `friend-of-${email}`, role: "viewer" })).status).toBe(201);
  const agent = await createAgent(apiOf(service, key), { name: "Written" });
  const { id } = await createTask(apiOf(service, key), { description: "[[say:done]]", assigned_agent_id: agent.id });
  await taskIn(place.api, id, "completed");
  return { email, own, user, place, session, key, taskId: id };
}

verifies(
  ["ops.erase.person", "ops.erase.person.only-owner", "ops.erase.receipt"],
  "the name and address of an erased person are nowhere, and what they did has an author",
  async () => {
    const mark = "Quetzalite";
    const { email, own, user, place, session, key, taskId } = await person(mark);
    expect((await searchAll(database.url, folder, mark)).length).toBeGreaterThan(7);
    const refused = await erase("--person", email, "--confirm", email);
    const [slug] = await sql<{ slug: string }>(database.url, "select slug from workspaces where id = $1", [own]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`only owner of the workspace ${slug?.slug}.`),
    ]);
    expect((await whoIs(service, session.access_token)).status).toBe(200);
    const heir = await addMember(database.url, own, "owner");
    expect((await erase("--person", email, "--confirm", "someone@else.example")).code).toBe(1);
    expect((await erase("--person", "nobody@example.org", "--confirm", "nobody@example.org")).code).toBe(1);
    await consoleOf(service, heir.key).patch("/workspace", { name: "Handed over" });
    await sql(database.url, "delete from workspace_slugs where slug ilike $1", [`%${mark}%`]);
    const both = await Promise.all([1, 2].map(() => erase("--person", email, "--confirm", email)));
    const [done, again] = both.toSorted((a, b) => Number(a.code) - Number(b.code));
    const receipt = receiptOf(done?.stdout ?? "");
    // The second one sees the same erasure, or comes when it has ended.
    if (again?.code === 0) expect(receiptOf(again.stdout)).toEqual(receipt);
    else expect(again?.stderr).toBe(`No user with e-mail ${email}.\n`);
    expect(receipt).toMatchObject({ kind: "person", subject_id: user.id, requested_by: null });
    expect(receipt.removed).toMatchObject({
      users: 1,
      members: 2,
      passkeys: 1,
      identities: 1,
      google_connections: 1,
      idempotent_answers: 1,
      channel_messages: 1,
      output_routes: 1,
      api_keys: 2,
      audit_log: expect.any(Number),
    });
    expect(await searchAll(database.url, folder, mark)).toEqual([]);
    expect((await whoIs(service, session.access_token)).status).toBe(401);
    expect((await apiOf(service, key).get("/api-me")).status).toBe(401);
    expect((await postAuth(service, "sign-in", { email, password: "correct horse battery" })).status).toBe(401);
    expect((await place.console.get(`/runs/${taskId}`)).status).toBe(200);
    const author = { id: user.id, name: "Erased person" };
    const asked = fieldsOf(await place.console.get("/questions?state=answered"));
    expect(asked["items"]).toMatchObject([{ answered_by: author, votes: [{ by: author, approved: true }] }]);
    const audit = fieldsOf(await place.console.get("/audit?action=agent.created"));
    expect(audit["items"]).toMatchObject([{ actor: author }]);
    const first = fieldsOf(await consoleOf(service, keys.api).get("/audit?action=person.erased"));
    expect(first["items"]).toMatchObject([{ subject: { kind: "person", id: user.id, name: null } }]);
    expect((await erase("--person", email, "--confirm", email)).code).toBe(1);
  },
  { tags: "slow" },
);

verifies(
  "ops.erase.resumed",
  "an erasure whose command was killed is continued by the same command, and by a process that serves",
  async () => {
    const { workspaceId, key } = await addWorkspace(database.url);
    await createAgent(apiOf(service, key));
    await service.stop();
    // It steps over locked rows, and cannot end before they are free.
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select from agents where workspace_id = $1 for update", [workspaceId]);
    const killed = startMuster(["erase", "--workspace", workspaceId, "--confirm", "Another workspace"], settings());
    await eventually("it is in the middle", async () => {
      const rows = await sql(database.url, "select from erasures where subject_id = $1 and removed <> '{}'", [
        workspaceId,
      ]);
      return rows.length === 1;
    });
    killed.process.kill("SIGKILL");
    await killed.ended;
    await holder.query("rollback");
    await holder.end();
    const continued = await erase("--workspace", workspaceId);
    expect(receiptOf(continued.stdout)).toMatchObject({
      subject_id: workspaceId,
      removed: { agents: 1, workspaces: 1 },
    });
    service = await start();
    const other = await openWorkspace(service);
    await consoleOf(service, keys.api).delete(`/instance/workspaces/${other.workspaceId}?confirm=Another%20workspace`);
    await eventually("the service ends it", async () => {
      const listed = await runMuster(["ops", "erasures", "--json"], settings());
      return z
        .array(erasureRecord)
        .parse(JSON.parse(listed.stdout))
        .some(({ subject_id: id, ended_at: end }) => id === other.workspaceId && end !== null);
    });
  },
  { tags: "slow" },
);

verifies(
  ["ops.erase.api", "ops.access"],
  "an owner of the first workspace erases a person by the API and reads receipts; others get 403",
  async () => {
    const { email, own, user } = await person("Malachite");
    const path = `/instance/people?email=${email}&confirm=${email}`;
    const [operator, stranger] = [consoleOf(service, keys.api), await openWorkspace(service)];
    expect((await stranger.console.delete(path)).status).toBe(403);
    expect((await stranger.console.get("/instance/erasures")).status).toBe(403);
    expect((await operator.delete(path)).status).toBe(409);
    await addMember(database.url, own, "owner");
    expect((await operator.delete(`/instance/people?email=${email}&confirm=no`)).status).toBe(400);
    const begun = erasureRecord.parse((await operator.delete(path)).body);
    expect(begun).toMatchObject({ kind: "person", subject_id: user.id, requested_by: expect.any(String) });
    // Its access has ended at once; the service does the rest.
    await eventually("it has ended", async () => {
      const receipts = z.array(erasureRecord).parse((await operator.get("/instance/erasures")).body);
      return receipts.some(({ id, ended_at: end }) => id === begun.id && end !== null);
    });
    expect(await sql(database.url, "select from users where email = $1", [email])).toEqual([]);
    expect((await operator.delete(path)).status).toBe(404);
  },
);
