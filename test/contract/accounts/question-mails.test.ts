import { afterAll, beforeAll, expect } from "vitest";
import { ADA_ENV, bearer, signIn } from "../../support/accounts.ts";
import { fieldsOf, refusal, send } from "../../support/api.ts";
import { OSLO, openApprovals } from "../../support/approvals.ts";
import type { ApprovalScene, Person } from "../../support/approvals.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { startMailServer } from "../../support/mail-server.ts";
import type { MailServer } from "../../support/mail-server.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { openWorkspaceIn } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let server: MailServer;
let service: TestService;
let scene: ApprovalScene;
let ana: Person;
let ben: Person;

beforeAll(async () => {
  server = await startMailServer();
  const env = { ...ADA_ENV, SMTP_URL: server.url, MAIL_FROM: "Muster <muster@example.org>" };
  service = await startService({ env });
  scene = await openApprovals(await openWorkspaceIn(service));
  [ana, ben] = [await scene.join("Ana", "admin"), await scene.join("Ben", "admin")];
});
afterAll(async () => {
  await service.stop();
  await server.close();
});

const choose = (id: string, kinds: readonly string[]) =>
  sql(service.databaseUrl, "update users set question_mails = $2 where id = $1", [id, kinds]);
const mailsTo = ({ email }: Pick<Person, "email">) => server.mails.filter(({ to }) => to.includes(email));

/** No delivery is left, so that nothing more is sent. */
async function allSent(): Promise<void> {
  const open = "select from deliveries where status = 'pending'";
  await eventually("all is sent", async () => (await sql(service.databaseUrl, open)).length === 0);
}

/** Starts a task whose agent asks a question of its own. */
async function ask(): Promise<string> {
  const agent = await createAgent(scene.api, { name: "Asker", tools: ["request_input"] });
  const description = callOf("request_input", { title: "Which town?", description: "For the <fair>." });
  return (await createTask(scene.api, { title: "Fair", description, assigned_agent_id: agent.id })).id;
}

verifies(
  ["accounts.mail.questions", "accounts.mail.questions.who"],
  "who has chosen a kind of question gets it by mail, if they may answer it, and once",
  async () => {
    await choose(ana.id, ["approvals"]);
    await choose(ben.id, ["questions"]);
    await choose(scene.owner.id, ["approvals", "questions"]);
    const before = server.mails.length;
    const agent = await scene.agentWith([{ name: "Trips", need: 2 }]);
    const task = await scene.start(agent.id, OSLO);
    const { id } = await scene.question(task);
    await allSent();
    // The owner has started it, and Ben wants other mails.
    expect(server.mails.slice(before).map(({ to }) => to)).toEqual([[ana.email]]);
    const { mail, link } = server.mails.at(-1) ?? {};
    expect(link).toBe(`${service.url}/r/${task}/answer`);
    expect(mail?.text).toContain("The rule “Trips” asks about every call.");
    expect(mail?.text).toContain("Europe/Oslo");
    for (const person of [ana, ben]) await person.vote(task, true, id);
    await taskIn(scene.api, task, "completed");

    await taskIn(scene.api, await ask(), "waiting_for_input");
    await allSent();
    const owner = { email: await emailOf(scene.owner.id) };
    expect([mailsTo(ana).length, mailsTo(ben).length, mailsTo(owner).length]).toEqual([1, 1, 1]);
    expect(mailsTo(ben)[0]?.mail).toMatchObject({ subject: "Asker asks: Which town?" });
    expect(mailsTo(ben)[0]?.mail.html).toContain("For the &lt;fair&gt;.");
  },
);

verifies(
  "accounts.mail.questions.who",
  "an escalation mails those who are asked from then on, and nobody twice",
  async () => {
    await choose(ben.id, ["approvals"]);
    const before = server.mails.length;
    const rule = { ask: { people: [ana.id] }, after: [{ seconds: 1, ask: { role: "admin" } }] };
    const task = await scene.start((await scene.agentWith([rule])).id);
    await eventually("Ben is asked as well", () => server.mails.slice(before).some(({ to }) => to.includes(ben.email)));
    await allSent();
    expect(server.mails.slice(before).map(({ to }) => to)).toEqual([[ana.email], [ben.email]]);
    await ana.vote(task, false, (await scene.question(task)).id);
    await taskIn(scene.api, task, "completed");
  },
);

verifies(
  "accounts.mail.questions.stop",
  "the link in the mail ends the mails: a look ends nothing, a press or a mail program does",
  async () => {
    await choose(ben.id, ["questions"]);
    await ask();
    await allSent();
    const { mail } = mailsTo(ben).at(-1) ?? {};
    const list = mail?.headers.get("list");
    expect(mail?.headerLines.find(({ key }) => key === "list-unsubscribe-post")?.line).toContain("One-Click");
    const [, url = ""] = /Stop these mails: (\S+)/.exec(mail?.text ?? "") ?? [];
    expect(JSON.stringify(list)).toContain(url);
    const kinds = async () =>
      (await sql(service.databaseUrl, "select question_mails from users where id = $1", [ben.id]))[0];
    const page = await send("GET", url, { headers: { accept: "text/html" } });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("Stop these mails")]);
    expect(await kinds()).toEqual({ question_mails: ["questions"] });
    const forged = url.replace(ben.id, ana.id);
    expect((await send("POST", forged)).status).toBe(404);
    expect((await send("POST", `${url}x`)).status).toBe(404);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const done = await fetch(url, { method: "POST", headers: form, body: "List-Unsubscribe=One-Click" });
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining("no more mails")]);
    expect(await kinds()).toEqual({ question_mails: [] });
    // The delivery log has neither the link nor the token.
    const log = await sql(service.databaseUrl, "select request from delivery_attempts");
    expect(JSON.stringify(log)).not.toContain(new URL(url).searchParams.get("token"));
  },
);

verifies(
  "accounts.mail.questions.setting",
  "a person chooses the kinds in the profile, where the instance sends mail",
  async () => {
    const me = async (of: TestService, body: object) =>
      send("PATCH", `${of.url}/auth/me`, { headers: bearer((await signIn(of)).access_token), body });
    expect(fieldsOf(await me(service, { question_mails: ["questions", "approvals", "questions"] }))).toMatchObject({
      question_mails: ["approvals", "questions"],
    });
    expect(refusal(await me(service, { question_mails: ["all"] }))).toMatchObject({ paths: ["question_mails.0"] });
    expect(fieldsOf(await me(service, { name: "Ada" }))).toMatchObject({ question_mails: ["approvals", "questions"] });
    expect(fieldsOf(await me(service, { question_mails: [] }))).toMatchObject({ question_mails: [] });
    const without = await startService({ env: ADA_ENV });
    expect(refusal(await me(without, { question_mails: ["questions"] }))).toMatchObject({ paths: ["question_mails"] });
    await without.stop();
  },
);

async function emailOf(id: string): Promise<string> {
  const [row] = await sql<{ email: string }>(service.databaseUrl, "select email from users where id = $1", [id]);
  return row?.email ?? "";
}
