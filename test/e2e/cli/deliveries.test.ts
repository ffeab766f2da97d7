import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf } from "../../support/api.ts";
import { deliveriesOver, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, taskInState } from "../../support/work.ts";

const SECRET = "the secret of the route";
const records = z.array(z.looseObject({ id: z.uuid(), status: z.string().optional() }));
const MINUTE = 60_000;

let service: SharedService;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  ({ service } = await useScriptedService());
});
afterAll(async () => {
  await receiver.close();
});

function muster(args: readonly string[], input = "") {
  return runMuster(args, { input, env: environmentOf(service) });
}

async function listed(...args: string[]) {
  return records.parse(JSON.parse((await muster([...args, "--json"])).stdout));
}

verifies(
  "cli.deliveries",
  "muster routes and deliveries create, test, list, show and redeliver, and never print a secret",
  async () => {
    expect((await muster(["routes", "types"])).stdout).toMatch(/http\s.*url, \[secret\]/);
    const config = JSON.stringify({ url: `${receiver.url}/results`, secret: SECRET });
    const created = await muster(["routes", "create", "--name", "Mine", "--type", "http", "--config", "-"], config);
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Created output route Mine \(/) });
    const [route] = await listed("routes", "list");
    if (route === undefined) throw new Error("There is no route.");
    const shown = await muster(["routes", "get", route.id]);
    expect(shown.stdout).toContain(`${receiver.url}/results`);
    expect(shown.stdout).not.toContain(SECRET);

    receiver.answerWith("/results", 400);
    expect((await muster(["routes", "test", route.id])).stdout).toMatch(
      /^Sending a test; see: muster deliveries show /,
    );
    const failed = await eventually("the test has failed", async () => {
      const [one] = await listed("deliveries", "list", "--route", "Mine", "--status", "failed");
      return one;
    });
    const attempts = await muster(["deliveries", "show", failed.id]);
    expect(attempts.stdout).toMatch(/ATTEMPT\s.*\n1\s+\S+\s+failed\s+400/);
    expect(attempts.stdout).toMatch(/\nRequest:\nPOST http:[^]*"event":"task.completed"[^]*\nResponse:\nHTTP 400/);
    expect(attempts.stdout).not.toContain(SECRET);
    expect(await muster(["deliveries", "show", "nonsense"])).toMatchObject({
      code: 2,
      stderr: 'No delivery is called "nonsense" or has this id. "muster deliveries list" lists them.\n',
    });
    receiver.answerWith("/results", 200);
    const since = new Date(Date.now() - MINUTE).toISOString();
    const again = await muster(["deliveries", "redeliver", "--failed-since", since]);
    expect(again).toMatchObject({ code: 0, stdout: "Redelivering 1 delivery\n" });
    expect(await muster(["deliveries", "redeliver"])).toMatchObject({ code: 2 });
    expect((await muster(["routes", "pause", route.id])).stdout).toBe("Output route Mine is paused\n");
    expect((await muster(["routes", "delete", route.id, "--yes"])).code).toBe(0);
    expect(await listed("routes", "list")).toEqual([]);
  },
  MINUTE,
);

verifies("cli.hooks", "muster hooks subscribes a URL, rotates its secret and ends it", async () => {
  const target = `${receiver.url}/hook`;
  const created = await muster(["hooks", "create", "--target", target, "--event", "task_completed"]);
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_\S+\n$/) });
  const [hook] = await listed("hooks", "list");
  if (hook === undefined) throw new Error("There is no subscription.");
  const api = apiOf(service, service.keys.api);
  const { id: agentId } = await createAgent(api);
  const { id } = await taskInState(api, { status: "completed", agentId, description: QUICK });
  // The receiver has the request before the service has recorded its answer.
  await deliveriesOver(consoleOf(service, service.keys.api), hook.id);
  expect(receiver.received("/hook").map((sent) => sent.id)).toEqual([id]);
  expect(await listed("deliveries", "list", "--hook", target, "--task", id)).toMatchObject([{ status: "success" }]);
  expect((await muster(["hooks", "pause", target])).stdout).toMatch(/ is paused\n$/);
  expect((await muster(["hooks", "list"])).stdout).toMatch(/\bpaused$/m);
  expect((await muster(["hooks", "resume", target])).stdout).toMatch(/ is active\n$/);
  const rotated = await muster(["hooks", "rotate", hook.id]);
  expect(rotated.stdout).toMatch(/^whsec_/);
  expect(rotated.stdout).not.toBe(created.stdout);
  expect((await muster(["hooks", "delete", hook.id, "--yes"])).code).toBe(0);
  expect(await listed("hooks", "list")).toEqual([]);
});
