import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { ADA, ADA_ENV, bearer, postAuth, sessionOf, signIn } from "../../support/accounts.ts";
import type { TestSession } from "../../support/accounts.ts";
import { apiOf, refusal, send } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { startPushService } from "../../support/push-service.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const device = z.strictObject({
  id: z.string(),
  user_agent: z.string().nullable(),
  service: z.string(),
  current: z.boolean(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});
const listed = z.strictObject({ public_key: z.string(), devices: z.array(device) });
const waiting = z.looseObject({ interaction: z.looseObject({ interactionId: z.string() }) });

let service: TestService;
let pushes: Awaited<ReturnType<typeof startPushService>>;

beforeAll(async () => {
  pushes = await startPushService();
  service = await startService({ env: { ...ADA_ENV, ALLOW_PRIVATE_URLS: "true" } });
});
afterAll(async () => {
  await service.stop();
  await pushes.close();
});

const auth = (method: string, path: string, by: TestSession, body?: object) =>
  send(method, `${service.url}/auth/${path}`, { headers: bearer(by.access_token), ...(body && { body }) });
const devicesOf = async (by: TestSession) => listed.parse((await auth("GET", "push", by)).body);

/** Turns a new device on. */
async function turnOn(by: TestSession) {
  const made = pushes.subscribe((await devicesOf(by)).public_key);
  const added = await auth("POST", "push", by, made.subscription);
  expect(added.status, added.text).toBe(201);
  return { ...made, id: device.parse(added.body).id };
}

/** Asks a question with this title. */
async function ask(title: string) {
  const api = apiOf(service, service.keys.api);
  const agent = await createAgent(api, { name: "Bookkeeper", tools: ["request_approval"] });
  const description = callOf("request_approval", { title, description: "A secret: 4711", timeoutMs: 3_600_000 });
  const task = await createTask(api, { title: "Pay it", description, assigned_agent_id: agent.id });
  await taskIn(api, task.id, "waiting_for_input");
  const { interaction } = waiting.parse((await api.get(`/api-tasks?id=${task.id}`)).body);
  return { api, id: task.id, interactionId: interaction.interactionId };
}

verifies(
  ["questions.push.devices", "questions.push.keys"],
  "a person's devices are listed, limited and turned off; what is secret of them is stored encrypted",
  async () => {
    const ada = await signIn(service);
    const { public_key: key, devices } = await devicesOf(ada);
    expect(devices).toEqual([]);
    expect((await devicesOf(ada)).public_key).toBe(key);
    const { subscription } = pushes.subscribe(key);
    const wrong = [
      { ...subscription, endpoint: "ftp://push.example" },
      { ...subscription, endpoint: "https://user:word@push.example/x" },
      { ...subscription, keys: { p256dh: "AAAA", auth: subscription.keys.auth } },
      { ...subscription, keys: { ...subscription.keys, auth: "AAAA" } },
      { ...subscription, odd: 1 },
    ];
    for (const body of wrong) expect(refusal(await auth("POST", "push", ada, body)).status).toBe(400);
    const first = await turnOn(ada);
    expect((await devicesOf(ada)).devices).toMatchObject([{ id: first.id, current: true, last_used_at: null }]);
    // The same browser once more replaces itself.
    expect((await auth("POST", "push", ada, first.subscription)).status).toBe(201);
    for (let count = 1; count < 10; count++) await turnOn(ada);
    const more = await auth("POST", "push", ada, pushes.subscribe(key).subscription);
    expect(refusal(more)).toMatchObject({ status: 409 });
    const rows = JSON.stringify([
      await sql(service.databaseUrl, "select * from push_devices"),
      await sql(service.databaseUrl, "select * from vapid_keys"),
    ]);
    expect(rows).not.toContain(first.subscription.endpoint);
    expect(rows).not.toContain(first.subscription.keys.auth);
    for (const { id } of (await devicesOf(ada)).devices) {
      expect((await auth("DELETE", `push/${id}`, ada)).status).toBe(204);
      expect(refusal(await auth("DELETE", `push/${id}`, ada)).status).toBe(404);
    }
    expect(refusal(await send("GET", `${service.url}/auth/push`)).status).toBe(401);
  },
);

verifies(
  ["questions.push.question", "questions.push.closed"],
  "a question is pushed once to each device of who may answer, and closed with its answer",
  async () => {
    const ada = await signIn(service);
    const grace = { email: "grace@example.org", password: "a nanosecond of wire" };
    await postAuth(service, "sign-up", grace);
    const [{ id: graceId } = { id: "" }] = await sql<{ id: string }>(
      service.databaseUrl,
      "select id from users where email = $1",
      [grace.email],
    );
    const join = "insert into members (workspace_id, user_id, role) values ($1, $2, 'viewer')";
    await sql(service.databaseUrl, join, [ada.workspace_id, graceId]);
    const hers = await turnOn(sessionOf(await postAuth(service, "sign-in", grace)));
    const [phone, laptop] = [await turnOn(ada), await turnOn(ada)];

    const { api, id, interactionId } = await ask("Pay invoice 12?");
    for (const { received } of [phone, laptop]) {
      await eventually("it is notified", () => received.length > 0);
      expect(received).toMatchObject([
        {
          urgency: "high",
          topic: interactionId.replaceAll("-", ""),
          message: {
            type: "question",
            tag: interactionId,
            title: "Bookkeeper asks",
            body: "Pay invoice 12?",
            path: `/r/${id}/answer`,
          },
        },
      ]);
      expect(received[0]?.ttl).toBeGreaterThan(3_000);
      expect(received[0]?.ttl).toBeLessThanOrEqual(3_600);
      expect(JSON.stringify(received)).not.toContain("4711");
    }
    await eventually("its use is noted", async () =>
      (await devicesOf(ada)).devices.every((one) => one.last_used_at !== null),
    );
    const answer = { interactionId, approved: true };
    const answered = await send("POST", `${service.url}/console/api/tasks/${id}/answer`, {
      headers: bearer(ada.access_token),
      body: answer,
    });
    expect(answered.status, answered.text).toBe(200);
    await taskIn(api, id, "completed");
    for (const { received } of [phone, laptop]) {
      await eventually("it is closed", () => received.length > 1);
      expect(received[1]).toMatchObject({ urgency: "normal", message: { type: "closed", tag: interactionId } });
    }
    expect(hers.received).toEqual([]);
    expect(pushes.faults).toEqual([]);

    // An admin lets her answer: now she is notified, too.
    const allow = "update members set can_answer = true where workspace_id = $1 and user_id = $2";
    await sql(service.databaseUrl, allow, [ada.workspace_id, graceId]);
    const second = await ask("Pay invoice 13?");
    await eventually("she is notified", () => hers.received.length > 0);
    await stopTask(second.api, second.id);
    await eventually("hers is closed", () => hers.received.length > 1);
  },
);

verifies(
  "questions.push.ends",
  "a device is notified until its session ends or its push service says that it has gone",
  async () => {
    const ada = await signIn(service);
    const other = await signIn(service, ADA);
    const [gone, lost, signedOut, kept] = [
      await turnOn(ada),
      await turnOn(ada),
      await turnOn(other),
      await turnOn(ada),
    ];
    gone.end(410);
    lost.end(404);
    const ended = await send("POST", `${service.url}/auth/sign-out`, { headers: { cookie: other.cookie }, body: {} });
    expect(ended.status, ended.text).toBe(204);
    const { api, id } = await ask("Pay invoice 14?");
    await eventually("the last one is notified", () => kept.received.length > 0);
    await eventually("the ended ones are removed", async () => {
      const ids = new Set((await devicesOf(ada)).devices.map((one) => one.id));
      return !ids.has(gone.id) && !ids.has(lost.id) && ids.has(kept.id);
    });
    expect(signedOut.received).toEqual([]);
    await stopTask(api, id);
  },
);

verifies(
  "questions.push.app",
  "the console can be installed, and its service worker and manifest may load nothing else",
  async () => {
    const get = (path: string) => fetch(service.url + path);
    const manifest = await get("/manifest.webmanifest");
    expect(manifest.headers.get("content-type")).toBe("application/manifest+json");
    const { icons } = z.object({ icons: z.array(z.object({ src: z.string() })) }).parse(await manifest.json());
    for (const { src } of icons) {
      const icon = await get(src);
      expect(icon.headers.get("content-type")).toBe("image/png");
      expect(
        Buffer.from(await icon.arrayBuffer())
          .subarray(1, 4)
          .toString(),
      ).toBe("PNG");
    }
    const worker = await get("/service-worker.js");
    expect(worker.headers.get("content-type")).toContain("text/javascript");
    expect(worker.headers.get("cache-control")).toBe("no-cache");
    expect(worker.headers.get("content-security-policy")).toBe("default-src 'none'");
    const page = await fetch(`${service.url}/sign-in`, { headers: { accept: "text/html" } });
    const policy = page.headers.get("content-security-policy");
    expect(policy).toContain("worker-src 'self'");
    expect(policy).toContain("manifest-src 'self'");
  },
);
