import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf } from "../support/api.ts";
import { createTool } from "../support/custom-tools.ts";
import { eventually } from "../support/eventually.ts";
import { answerJson, startFakeServer } from "../support/fake-server.ts";
import type { FakeServer } from "../support/fake-server.ts";
import { environmentOf, runMuster } from "../support/muster.ts";
import type { Ended } from "../support/muster.ts";
import { startTask, taskEnd } from "../support/runs.ts";
import { createDatabase, createKeys, startProcess, startService } from "../support/service.ts";
import type { StartOptions, TestDatabase, TestProcess, TestService } from "../support/service.ts";
import { orderOf } from "../support/tool-calls.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent } from "../support/work.ts";

const SLOW = 120_000;
const keys = createKeys();

let hangs = false;
let endpoint: FakeServer;
let database: TestDatabase;
/** The first process, and what runs in its place. */
let killed: TestProcess;
let service: TestService;

beforeAll(async () => {
  endpoint = await startFakeServer((_, response) => {
    if (!hangs) answerJson(response, { ducks: 7 });
  });
  database = await createDatabase();
  service = killed = await startProcess(options());
}, SLOW);
afterAll(async () => {
  await service.stop();
  await endpoint.close();
  await database.drop();
});

function options(): StartOptions {
  return { databaseUrl: database.url, keys, env: { ALLOW_PRIVATE_URLS: "true" } };
}

function muster(args: readonly string[], input = ""): Promise<Ended> {
  return runMuster(args, { input, env: environmentOf(service) });
}

verifies(
  "tools.custom.cli",
  "a custom tool is created, tested, shown and deleted by commands",
  async () => {
    const parameters = { type: "object", properties: { pond: { type: "string" } }, required: ["pond"] };
    const tool = {
      name: "count_ducks",
      description: "Counts.",
      url: `${endpoint.url}/{pond}`,
      parameters,
      method: "GET",
    };
    const secret = { headers: { Authorization: "Bearer sk-of-the-ducks" } };
    const made = await muster(["tools", "create", "-"], JSON.stringify({ ...tool, ...secret }));
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Created tool count_ducks \(custom:[\da-f-]+\)/),
    });
    expect(await muster(["tools", "create", "-"], "no JSON")).toMatchObject({ code: 2 });
    expect(await muster(["tools", "create", "/nowhere.json"])).toMatchObject({ code: 2 });

    const listed = await muster(["tools", "list"]);
    expect(listed.stdout).toMatch(/custom:[\da-f-]+ +count_ducks +GET +http/);
    const tested = await muster(["tools", "test", "count_ducks", "--arguments", '{"pond":"big"}']);
    expect(tested).toMatchObject({ code: 0, stdout: '{"ducks":7}\n' });
    expect(endpoint.seen.at(-1)).toMatchObject({ path: "/big", headers: { authorization: "Bearer sk-of-the-ducks" } });
    expect(await muster(["tools", "test", "count_ducks"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("must have required property 'pond'"),
    });
    const calls = await muster(["tools", "calls", "count_ducks"]);
    expect(calls.stdout).toMatch(/success +200 +\d+ ms +test/);
    for (const { stdout, stderr } of [made, listed, tested, calls]) expect(stdout + stderr).not.toContain("sk-of");
    expect(await muster(["tools", "delete", "count_ducks", "--yes"])).toMatchObject({ code: 0 });
    expect(z.array(z.unknown()).parse(JSON.parse((await muster(["tools", "list", "--json"])).stdout))).toEqual([]);
  },
  { tags: "slow" },
);

verifies(
  "tools.custom.idempotency-key",
  "a call whose process is killed is repeated under the same key",
  async () => {
    const id = await createTool(service, { name: "hang_on", url: endpoint.url });
    const { id: agentId } = await createAgent(apiOf(service, keys.api), { tools: [`custom:${id}`] });
    hangs = true;
    const taskId = await startTask(service, agentId, { description: orderOf("hang_on", {}) });
    const keysSeen = () =>
      endpoint.seen
        .map(({ headers }) => String(headers["idempotency-key"]))
        .filter((key) => key.startsWith(`${taskId}:1:`));
    await eventually("the call", async () => keysSeen().length === 1);
    await killed.kill();
    hangs = false;
    service = await startService(options());
    expect(await taskEnd(service, taskId)).toMatchObject({ status: "completed" });
    const [first, second, ...more] = keysSeen();
    expect([second, more]).toEqual([first, []]);
  },
  { tags: "slow" },
);
