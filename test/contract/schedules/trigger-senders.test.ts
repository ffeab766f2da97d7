import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { apiOf, consoleOf, listOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, readTask } from "../../support/work.ts";

const SECRET = `whsec_${Buffer.from("a key of the sender, 32 bytes :-)").toString("base64")}`;

let service: TestService;
let api: Api;
let desk: Api;
let agentId: string;

beforeAll(async () => {
  service = await startService();
  api = apiOf(service, service.keys.api);
  desk = consoleOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
});
afterAll(() => service.stop());

async function trigger(fields: object = {}) {
  const body = { name: "T", assigned_agent_id: agentId, title: "Event", description: QUICK, ...fields };
  const answer = await desk.post("/triggers", body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return z.looseObject({ id: z.string(), url: z.string() }).parse(answer.body);
}

const deliver = (url: string, body: string, headers: Record<string, string> = {}) =>
  send("POST", url, { body, headers });
const taskOf = (answer: Answer) => z.strictObject({ task_id: z.uuid() }).parse(answer.body).task_id;
const accepted = async (id: string) =>
  listOf(await desk.get(`/triggers/${id}/deliveries`)).filter(({ outcome }) => outcome === "accepted").length;

/** A delivery as the library of Standard Webhooks signs it. */
function standard(id: string, body: string, at = new Date()) {
  const signature = new Webhook(SECRET).sign(id, at, body);
  const time = String(Math.floor(at.getTime() / 1_000));
  return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,AAAA ${signature}` };
}

verifies("triggers.payload.form", "the fields of a form arrive as JSON", async () => {
  const { url } = await trigger({ description: "" });
  const form = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };
  const textOf = async (body: string) => (await readTask(api, taskOf(await deliver(url, body, form))))["description"];
  const shown = (value: string) => `## Payload\n\n\`\`\`json\n${value}\n\`\`\``;
  expect(await textOf("text=Gr%C3%BC%C3%9Fe+an+alle&user=a&user=b&sum=%5B1")).toBe(
    shown('{\n  "text": "Grüße an alle",\n  "user": [\n    "a",\n    "b"\n  ],\n  "sum": "[1"\n}'),
  );
  const payload = encodeURIComponent('{"id":12345678901234567890}');
  expect(await textOf(`payload=${payload}`)).toBe(shown('{\n  "payload": {\n    "id": 12345678901234567890\n  }\n}'));
  // curl calls every body a form.
  expect(await textOf('{"a":"b=c"}')).toBe(shown('{\n  "a": "b=c"\n}'));
  expect(await textOf("a = b")).toBe("## Payload\n\n```\na = b\n```");
  const many = `a=1${"&a=1".repeat(10_000)}`;
  expect(await textOf(many)).toBe(`## Payload\n\n\`\`\`\n${many}\n\`\`\``);
});

verifies("triggers.handshake", "a sender's check of the URL is answered, and starts no run", async () => {
  const { id, url } = await trigger();
  const slack = await deliver(url, '{"token":"t","challenge":"3eZbrw1aB","type":"url_verification"}');
  expect([slack.status, slack.body]).toEqual([200, { challenge: "3eZbrw1aB" }]);
  const ping = await deliver(url, '{"zen":"Keep it logically awesome."}', { "x-github-event": "ping" });
  expect([ping.status, ping.body]).toEqual([200, { ok: true }]);
  expect(await accepted(id)).toBe(0);
  expect((await deliver(url, '{"text":"url_verification"}')).status).toBe(202);

  const signed = await trigger({ secret: SECRET });
  expect(refusal(await deliver(signed.url, '{"challenge":"x","type":"url_verification"}'))).toMatchObject({
    status: 401,
  });
});

verifies(
  "triggers.signature.time",
  "a delivery of Standard Webhooks is accepted once, and not when it is old or changed",
  async () => {
    const { id, url } = await trigger({ secret: SECRET });
    const body = '{"type":"invoice.paid"}';
    const headers = standard("msg_1", body);
    const first = await deliver(url, body, headers);
    expect([first.status, first.text]).toEqual([202, expect.any(String)]);
    const again = await deliver(url, body, { ...headers, "idempotency-key": "another", "x-github-delivery": "other" });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(taskOf(again)).toBe(taskOf(first));
    for (const forged of [
      { ...headers, "webhook-id": "msg_2" },
      { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) },
      standard("msg_3", body, new Date(Date.now() - 400_000)),
      standard("msg_3", body, new Date(Date.now() + 400_000)),
      standard("msg_3", "{}"),
      { ...headers, "webhook-signature": "" },
    ]) {
      expect(refusal(await deliver(url, body, forged))).toMatchObject({ status: 401, code: "unauthorized" });
    }
    expect(await accepted(id)).toBe(1);
  },
);

verifies("triggers.signature.time", "a delivery that Slack has signed is accepted once", async () => {
  const secret = "8f742231b10e8888abcd99yyyzzz85a5";
  const { id, url } = await trigger({ secret });
  const body = '{"type":"event_callback"}';
  const signed = (time: number) => ({
    "x-slack-request-timestamp": String(time),
    "x-slack-signature": `v0=${createHmac("sha256", secret).update(`v0:${time}:${body}`).digest("hex")}`,
  });
  const now = Math.floor(Date.now() / 1_000);
  const first = await deliver(url, body, signed(now));
  expect(taskOf(await deliver(url, body, { ...signed(now), "idempotency-key": "x" }))).toBe(taskOf(first));
  expect((await deliver(url, body, signed(now - 301))).status).toBe(401);
  expect(await accepted(id)).toBe(1);
});

verifies("triggers.reject-repeats", "a body is accepted once in five minutes, whatever its id", async () => {
  const { id, url } = await trigger({ reject_repeats: true });
  const body = '{"build":1}';
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => deliver(url, body, { "x-github-delivery": `d${index}` })),
  );
  expect(
    answers
      .map(({ status }) => String(status))
      .toSorted()
      .join(),
  ).toBe("202,409,409,409,409");
  const taken = answers.findIndex(({ status }) => status === 202);
  expect((await deliver(url, body, { "x-github-delivery": `d${taken}` })).headers.get("idempotent-replayed")).toBe(
    "true",
  );
  expect(refusal(await deliver(url, body))).toMatchObject({ status: 409, code: "conflict" });
  expect((await deliver(url, '{"build":2}')).status).toBe(202);
  expect(await accepted(id)).toBe(2);
  await desk.patch(`/triggers/${id}`, { reject_repeats: false });
  expect((await deliver(url, body)).status).toBe(202);
});
