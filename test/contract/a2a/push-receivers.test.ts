import { afterAll, beforeAll, expect } from "vitest";
import { rpc } from "../../support/a2a/a2a.ts";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { listDeliveries } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer } from "../../support/fake-server.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, taskInState } from "../../support/work.ts";

let service: SharedService;
let api: Api;
let agentId: string;
let taskId: string;
const servers: FakeServer[] = [];

beforeAll(async () => {
  ({ service } = await useScriptedService());
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
  taskId = (await taskInState(api, { status: "completed", agentId, description: QUICK })).id;
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** A host that answers its requests with these statuses, the last one repeatedly, each when the test says so. */
async function startHost(...statuses: readonly number[]) {
  const held: (() => void)[] = [];
  const server = await startFakeServer((_, response) => {
    const status = statuses[Math.min(server.seen.length, statuses.length) - 1] ?? 200;
    held.push(() => answerJson(response, {}, status));
  });
  servers.push(server);
  return { server, answer: () => held.splice(0).forEach((send) => send()) };
}

/** Stores configurations of the ended task at as many paths of a host, each of which is notified of its end. */
async function notify({ url }: FakeServer, count: number): Promise<readonly string[]> {
  const urls = Array.from({ length: count }, (_, index) => `${url}/${index}`);
  for (const target of urls) {
    await rpc(service, agentId, { method: "CreateTaskPushNotificationConfig", params: { taskId, url: target } });
  }
  return urls;
}

/** The deliveries to these URLs, once a condition holds. */
function deliveriesTo(urls: readonly string[], what: string, isTrue: (status: string) => boolean) {
  const console_ = consoleOf(service, service.keys.api);
  return eventually(
    what,
    async () => {
      const all = await listDeliveries(console_, `task_id=${taskId}&limit=200`);
      const own = all.filter(({ target_name: name }) => urls.includes(String(name)));
      return own.length === urls.length && own.every(({ status }) => isTrue(status)) && own;
    },
    20_000,
  );
}

verifies("a2a.push.proven", "a host that accepts no notification gets one of five", async () => {
  const { server, answer } = await startHost(410);
  const urls = await notify(server, 5);
  await eventually("the first notification", () => server.seen.length === 1);
  await deliveriesTo(urls, "all wait", (status) => status === "pending");
  answer();
  const failed = await deliveriesTo(urls, "all have failed", (status) => status === "failed");
  expect(server.seen).toHaveLength(1);
  expect(
    failed.filter(({ error }) => /has not accepted the notification before this one/.test(error ?? "")),
  ).toHaveLength(4);
});

verifies("a2a.push.proven", "a host that has accepted one gets all", async () => {
  const { server, answer } = await startHost(200);
  const urls = await notify(server, 5);
  await eventually("the first notification", () => server.seen.length === 1);
  await deliveriesTo(urls, "all wait", (status) => status === "pending");
  expect(server.seen).toHaveLength(1);
  answer();
  await eventually("the others", () => server.seen.length === 5);
  answer();
  await deliveriesTo(urls, "all are delivered", (status) => status === "success");
  const [again] = await notify(server, 1);
  await eventually("a later one", () => server.seen.length === 6);
  answer();
  expect(server.seen.at(-1)?.path).toBe(new URL(String(again)).pathname);
});
