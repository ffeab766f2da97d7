import { once } from "node:events";
import { createServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { simpleParser } from "mailparser";
import type { ParsedMail } from "mailparser";
import { generate } from "selfsigned";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FAILED, PAYLOAD, deliver, shownOf } from "../../support/destinations/deliver.ts";
import { consoleOf } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const USER = { username: "muster@example.com", password: "smtp-secret-word" };

interface Received {
  readonly mail: ParsedMail;
  readonly recipients: readonly string[];
  readonly encrypted: boolean;
}

const received: Received[] = [];
const ownRoots = getCACertificates("default");
let server: SMTPServer;
let port: number;

beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  setDefaultCACertificates([...ownRoots, cert]);
  server = startServer({ key, cert });
  port = await portOf(server);
});
afterAll(async () => {
  setDefaultCACertificates(ownRoots);
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

function startServer(tls: { readonly key: string; readonly cert: string }): SMTPServer {
  return new SMTPServer({
    ...tls,
    authMethods: ["PLAIN", "LOGIN"],
    onAuth({ username, password }, _session, done) {
      const isRight = username === USER.username && password === USER.password;
      done(isRight ? null : new Error(`Invalid login of ${username} with ${password}`), { user: username });
    },
    onRcptTo({ address }, _session, done) {
      done(address.startsWith("nobody") ? new Error("No such mailbox") : null);
    },
    onData(stream, session, done) {
      void simpleParser(stream).then((mail) => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ mail, recipients, encrypted: session.secure });
        done();
      });
    },
  });
}

async function portOf(smtp: SMTPServer): Promise<number> {
  const { server: tcp } = smtp;
  smtp.listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const address = tcp.address();
  return address === null || typeof address === "string" ? 0 : address.port;
}

function send(more: Readonly<Record<string, unknown>> = {}, payload = PAYLOAD) {
  const mail = { from_email: "Muster <muster@example.com>", to_emails: "ada@example.com, bob@example.org" };
  const config = { smtp_host: "localhost", smtp_port: port, ...USER, ...mail, ...more };
  return deliver({ type: "smtp", config, payload });
}

verifies("destinations.smtp", "smtp sends to every address, encrypted, signed in", async () => {
  const payload = { ...PAYLOAD, task_title: "Grüße 😀", result_full: "<All> is & well 😀" };
  const outcome = await send({ subject_template: "{{agent}}: {{title}} ({{status}})" }, payload);
  expect(outcome).toMatchObject({ status: "success", httpCode: null, error: null });
  expect(outcome.response).toMatch(/^250 /);
  const { mail, recipients, encrypted } = received.at(-1) ?? {};
  expect(recipients).toEqual(["ada@example.com", "bob@example.org"]);
  expect(encrypted).toBe(true);
  expect(mail?.from?.text).toBe('"Muster" <muster@example.com>');
  expect(mail?.subject).toBe("Writer: Grüße 😀 (completed)");
  expect(mail?.text).toContain("<All> is & well 😀");
  expect(mail?.html).toContain("&lt;All&gt; is &amp; well 😀");
  expect(shownOf(outcome)).not.toContain(USER.password);

  await send({}, FAILED);
  expect(received.at(-1)?.mail.subject).toBe("[Service] Weekly report — failed");
  expect(received.at(-1)?.mail.text).toContain("Error: The model is overloaded.");
});

test("a wrong password fails, and is not shown although the server repeats it", async () => {
  const outcome = await send({ password: "another-secret-word" });
  expect(outcome).toMatchObject({ status: "failed", error: expect.stringContaining("535") });
  expect(shownOf(outcome)).not.toContain("another-secret-word");
});

test("a rejected recipient fails the delivery without a retry, since the others have the mail", async () => {
  const before = received.length;
  const some = await send({ to_emails: "ada@example.com, nobody@example.com" });
  expect(some).toMatchObject({ status: "failed", isFinal: true });
  expect(some.error).toContain("rejected nobody@example.com; the other recipients have the mail");
  expect(received.slice(before).map(({ recipients }) => recipients)).toEqual([["ada@example.com"]]);
  const all = await send({ to_emails: "nobody@example.com" });
  expect(all).toMatchObject({ status: "failed", isFinal: false, error: expect.stringContaining("No such mailbox") });
});

test("a certificate that no root vouches for, or of another host, fails before the password is sent", async () => {
  expect(await send({ smtp_host: "127.0.0.1" })).toMatchObject({
    status: "failed",
    error: expect.stringContaining("IP: 127.0.0.1 is not in the cert's list"),
  });
  setDefaultCACertificates(ownRoots);
  expect(await send()).toMatchObject({ status: "failed", error: expect.stringContaining("self-signed certificate") });
});

test("a server without TLS, a silent one and an unreachable one fail", async () => {
  const plain = new SMTPServer({ disabledCommands: ["STARTTLS"], authOptional: true });
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  const silentPort = address === null || typeof address === "string" ? 0 : address.port;
  expect(await send({ smtp_port: await portOf(plain) })).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/STARTTLS|not implemented/),
  });
  await new Promise<void>((resolve) => plain.close(() => resolve()));
  const config = { smtp_host: "localhost", smtp_port: silentPort, ...USER, from_email: "a@b.de", to_emails: "a@b.de" };
  expect(await deliver({ type: "smtp", config, settings: { timeoutMs: 200 } })).toMatchObject({
    status: "failed",
    error: "No reply within 0.2 s.",
  });
  silent.close();
  await once(silent, "close");
  expect(await deliver({ type: "smtp", config })).toMatchObject({
    status: "failed",
    error: expect.stringContaining("ECONNREFUSED"),
  });
  const internal = await deliver({ type: "smtp", config, settings: { reach: "public" } });
  expect(internal.status).toBe("failed");
});

verifies(
  "destinations.smtp.relay",
  "a relay of the operator takes mail without user and TLS; no other does",
  async () => {
    const mails: string[] = [];
    const plain = new SMTPServer({
      disabledCommands: ["STARTTLS", "AUTH"],
      authOptional: true,
      onData(stream, session, done) {
        mails.push(...session.envelope.rcptTo.map(({ address }) => address));
        stream.resume().once("end", done);
      },
    });
    const relay = { smtp_host: "127.0.0.1", smtp_port: await portOf(plain) };
    const config = { ...relay, from_email: "a@example.com", to_emails: "ada@example.com" };
    const settings = { reach: "public", mailRelays: [`127.0.0.1:${relay.smtp_port}`] } as const;
    expect(await deliver({ type: "smtp", config, settings })).toMatchObject({ status: "success", error: null });
    expect(mails).toEqual(["ada@example.com"]);
    expect(await deliver({ type: "smtp", config })).toMatchObject({
      status: "failed",
      error: expect.stringContaining("SMTP_RELAYS"),
    });
    await new Promise<void>((resolve) => plain.close(() => resolve()));

    const account = { type: "smtp", name: "Mail", config };
    const service = await startService({ env: { SMTP_RELAYS: `mail.example.com, 127.0.0.1:${relay.smtp_port}` } });
    try {
      const console_ = consoleOf(service, service.keys.api);
      expect((await console_.post("/routes", account)).status).toBe(201);
      const elsewhere = { ...account, config: { ...config, smtp_host: "smtp.example.com" } };
      const { status, text } = await console_.post("/routes", elsewhere);
      expect([status, text]).toEqual([
        400,
        expect.stringMatching(/config\.username.*is required, unless smtp_host is a relay/s),
      ]);
    } finally {
      await service.stop();
    }
  },
);

test("hosts inside the operator's network are rejected", async () => {
  const config = { smtp_port: 25, ...USER, from_email: "a@b.de", to_emails: "a@b.de" };
  for (const host of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1"]) {
    const outcome = await deliver({
      type: "smtp",
      config: { ...config, smtp_host: host },
      settings: { reach: "public" },
    });
    expect(outcome).toMatchObject({ status: "failed", error: expect.stringContaining("is rejected") });
  }
});
