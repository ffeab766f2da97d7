import { afterAll, beforeAll, expect } from "vitest";
import { readConfig } from "#config/config.ts";
import { ADA, ADA_ENV, postAuth, sessionOf, signIn } from "../../support/accounts.ts";
import { consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startMailServer } from "../../support/mail-server.ts";
import type { MailServer, ReceivedMail } from "../../support/mail-server.ts";
import { createDatabase, startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const FROM = "Muster <muster@example.org>";

let server: MailServer;
let one: TestService;
let other: TestService;

beforeAll(async () => {
  server = await startMailServer();
  const { url: databaseUrl } = await createDatabase();
  const env = { ...ADA_ENV, SMTP_URL: server.url, MAIL_FROM: FROM };
  one = await startService({ databaseUrl, env });
  other = await startPeer({ databaseUrl, env });
});
afterAll(async () => {
  await other.stop();
  await one.stop();
  await server.close();
});

const mailsTo = (address: string) => server.mails.filter(({ to }) => to.includes(address));

/** Waits for the first mail to an address. */
async function mailTo(address: string): Promise<ReceivedMail> {
  await eventually(`a mail to ${address}`, () => Promise.resolve(mailsTo(address).length > 0), 30_000);
  const [first] = mailsTo(address);
  if (first === undefined) throw new Error("A mail was just there.");
  return first;
}

const tokenIn = (link: string) => new URL(link).searchParams.get("token") ?? "";
const invite = (email: string) => consoleOf(one, one.keys.api).post("/invitations", { email, role: "member" });

/** All that the database has of deliveries. */
async function storedDeliveries(): Promise<string> {
  const tables = ["deliveries", "delivery_events", "delivery_attempts"];
  return JSON.stringify(await Promise.all(tables.map((name) => sql(one.databaseUrl, `select * from ${name}`))));
}

/** No delivery is left, so that nothing more is sent. */
async function allSent(): Promise<void> {
  const open = "select from deliveries where status = 'pending'";
  await eventually("all is sent", async () => (await sql(one.databaseUrl, open)).length === 0, 30_000);
}

verifies(
  "accounts.mail.invitations",
  "an invited person gets one mail, whose link works once; so does the shown one",
  async () => {
    const invited = await invite("bo@example.org");
    expect(fieldsOf(invited)).toMatchObject({ mailed: true, link: expect.stringContaining("token=") });
    const { mail, link } = await mailTo("bo@example.org");
    expect(mail).toMatchObject({
      subject: "Owner invites you to My workspace",
      from: { text: expect.stringContaining("muster@example.org") },
    });
    expect(mail.html).toContain(`href="${link}"`);
    expect(link.startsWith(`${one.url}/auth/invitations?token=`)).toBe(true);
    expect(tokenIn(link)).not.toBe(fieldsOf(invited)["token"]);
    for (const token of [tokenIn(link), fieldsOf(invited)["token"]]) {
      expect((await send("GET", `${other.url}/auth/invitations?token=${String(token)}`)).status).toBe(200);
    }
    const accepted = { token: tokenIn(link), password: "a nanosecond of wire" };
    expect((await postAuth(other, "invitations/accept", accepted)).status).toBe(201);
    expect(refusal(await postAuth(one, "invitations/accept", accepted)).status).toBe(404);
    await allSent();
    expect(mailsTo("bo@example.org")).toHaveLength(1);
    expect(await storedDeliveries()).not.toContain(tokenIn(link));
  },
);

verifies(
  "accounts.mail.password",
  "who forgot the password gets a link; the response is the same for anyone",
  async () => {
    const session = await signIn(one);
    const answers = [];
    for (const email of ["Ada@Example.org", "nobody@example.org"]) {
      answers.push(await postAuth(other, "forgot", { email }));
    }
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ""],
      [204, ""],
    ]);
    const { mail, link } = await mailTo(ADA.email);
    expect(mail.subject).toBe("Your new password for Muster");
    await allSent();
    expect(server.mails.filter(({ mail: { subject } }) => subject?.startsWith("Your new password"))).toHaveLength(1);
    const stored = await storedDeliveries();
    expect(stored).not.toContain(tokenIn(link));
    const shown = await consoleOf(one, one.keys.api).get("/deliveries");
    expect(shown.text).not.toContain("mail.password_reset");
    expect((await postAuth(one, "reset", { token: tokenIn(link), password: "a newer password" })).status).toBe(200);
    expect((await postAuth(one, "refresh", {}, { cookie: session.cookie })).status).toBe(401);
    const again = await signIn(other, { email: ADA.email, password: "a newer password" });
    expect(sessionOf(await postAuth(other, "refresh", {}, { cookie: again.cookie })).role).toBe("owner");
  },
);

verifies("accounts.mail.retries", "a mail that the server rejects for now is sent again, once", async () => {
  const before = server.rejected();
  server.rejectNext(1);
  await invite("cy@example.org");
  await eventually("the first attempt", () => Promise.resolve(server.rejected() > before), 30_000);
  await eventually(
    "the second attempt",
    async () => {
      await sql(one.databaseUrl, "update jobs set run_at = now() where kind = 'delivery' and run_at > now()");
      return mailsTo("cy@example.org").length > 0;
    },
    60_000,
  );
  await allSent();
  expect(mailsTo("cy@example.org")).toHaveLength(1);
  const { link } = await mailTo("cy@example.org");
  expect((await send("GET", `${one.url}/auth/invitations?token=${tokenIn(link)}`)).status).toBe(200);
});

verifies("accounts.mail.limits", "mails to one address are limited, whether it has an account or not", async () => {
  for (const email of ["bo@example.org", "unknown@example.org"]) {
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await postAuth(one, "forgot", { email })).status);
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
  }
});

verifies("accounts.mail.off", "without SMTP_URL no mail is promised, and links are shown as before", async () => {
  const service = await startService({ env: ADA_ENV });
  const invited = await consoleOf(service, service.keys.api).post("/invitations", {
    email: "bo@example.org",
    role: "member",
  });
  expect(fieldsOf(invited)).toMatchObject({ mailed: false, link: expect.stringContaining("token=") });
  expect(fieldsOf(await send("GET", `${service.url}/auth/options`))).toMatchObject({ sends_mail: false });
  const { status, message } = refusal(await postAuth(service, "forgot", { email: ADA.email }));
  expect([status, message]).toEqual([403, expect.stringContaining("Ask its operator")]);
  await service.stop();
  for (const [settings, says] of [
    [{ SMTP_URL: server.url }, "MAIL_FROM is required with SMTP_URL"],
    [{ MAIL_FROM: FROM }, "SMTP_URL is required with MAIL_FROM"],
    [{ SMTP_URL: "http://mail.example.org", MAIL_FROM: FROM }, "SMTP_URL must be a URL such as"],
    [{ SMTP_URL: server.url, MAIL_FROM: "Muster" }, "MAIL_FROM must be an address"],
  ] as const) {
    expect(() => readConfig(settings)).toThrow(says);
  }
});
