import { globSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { MACHINE } from "#engine/queue/machine.ts";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, fieldsOf, listOf } from "../support/api.ts";
import { inDatabase, onServer } from "../support/database.ts";
import { deliveriesOver, startReceiver } from "../support/destinations/deliveries.ts";
import type { Receiver } from "../support/destinations/deliveries.ts";
import { respond } from "../support/interactions.ts";
import { taskEnd, taskNow } from "../support/runs.ts";
import type { ScriptedProvider } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess, startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { readToEnd } from "../support/sse-client.ts";
import { callsBy, inputOf, messagesOf, pipelineIn } from "../support/teams/crew.ts";
import { loadFixture, saveFixture } from "../support/upgrade/fixture.ts";
import * as work from "../support/upgrade/work.ts";
import { verifies } from "../support/verifies.ts";
import { addKey, sql } from "../support/workspace.ts";

const ROOT = join(import.meta.dirname, "../..");
const FIXTURES = join(ROOT, "test/fixtures/upgrade");
/** What stands in a fixture for the address of the receiver of its deliveries. */
const RECEIVER = "receiver.invalid:80";

describe.each(globSync("*", { cwd: FIXTURES }))("a database of version %s, whose process was killed", (version) => {
  let vendor: ScriptedProvider;
  let receiver: Receiver;
  let service: TestService;
  let agentId: string;

  beforeAll(async () => {
    // The name of a copy of the template: it is dropped with them.
    const name = `${inject("templateName")}_${newId().slice(-12)}`;
    await onServer(inject("serverUrl"), `create database ${name}`);
    const databaseUrl = inDatabase(inject("serverUrl"), name);
    [vendor, receiver] = [await work.startVendor(false), await startReceiver()];
    await loadFixture(databaseUrl, join(FIXTURES, version), { [RECEIVER]: new URL(receiver.url).host });
    const started = await startService({ databaseUrl, env: { ...vendor.env, ALLOW_PRIVATE_URLS: "true" } });
    const [owner] = await sql<{ workspaceId: string; ownerId: string }>(
      databaseUrl,
      `select workspace_id as "workspaceId", user_id as "ownerId" from members where role = 'owner'`,
    );
    if (owner === undefined) throw new Error("The fixture has no owner.");
    const keys = {
      ...started.keys,
      api: await addKey(databaseUrl, owner),
      agui: await addKey(databaseUrl, { ...owner, kind: "ag-ui" }),
    };
    service = { ...started, keys };
    agentId = await idIn("agents where name = 'Guide'");
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([vendor.close(), receiver.close()]);
  });

  const desk = () => consoleOf(service, service.keys.api);

  async function idIn(from: string, values: readonly string[] = []): Promise<string> {
    const [row] = await sql<{ id: string }>(service.databaseUrl, `select id from ${from}`, values);
    if (row === undefined) throw new Error(`The fixture has nothing in ${from} (${values.join()}).`);
    return row.id;
  }

  const runOf = (title: string) => idIn("runs where title = $1", [title]);

  verifies("operations.upgrade.runs", "its runs continue after their last finished step, and end", async () => {
    const killed = await taskEnd(service, await runOf(work.KILLED));
    expect([killed.status, killed.result, killed.attempt]).toEqual(["completed", `done: ${work.KILLED}`, 1]);
    expect([0, 1].map((turn) => vendor.callsOf(work.KILLED, turn).length)).toEqual([0, 1]);
    const crew = await runOf(inputOf(work.CREW));
    expect(await pipelineIn(service, crew, "completed")).toMatchObject({ output: "Bert says so", attempt: 1 });
    expect(["Anna", "Bert"].map((each) => callsBy(vendor, work.CREW, each).length)).toEqual([0, 1]);
    expect((await messagesOf(service, crew)).map(({ content }) => content)).toEqual(["Anna says so", "Bert says so"]);
    expect(await taskEnd(service, await runOf(work.SCHEDULED))).toMatchObject({ status: "completed" });
  });

  verifies(
    "operations.upgrade.runs",
    "an open question takes its answer, and no call before it is repeated",
    async () => {
      const taskId = await runOf(work.ASKS);
      const { status, interaction } = await taskNow(service, taskId);
      expect(status).toBe("waiting_for_input");
      const { interactionId } = z.looseObject({ interactionId: z.string() }).parse(interaction);
      expect((await respond(service, { agentId, taskId }, { interactionId, approved: true })).status).toBe(200);
      expect(await taskEnd(service, taskId)).toMatchObject({ status: "completed", result: `done: ${work.ASKS}` });
      expect([0, 1].map((turn) => vendor.callsOf(work.ASKS, turn).length)).toEqual([0, 1]);
    },
  );

  verifies("operations.upgrade.runs", "a delivery that waits for its retry arrives once", async () => {
    const taskId = await runOf(work.DELIVERED);
    const deliveries = await deliveriesOver(desk(), await idIn("output_routes"));
    expect(deliveries.filter((delivery) => delivery["task_id"] === taskId)).toMatchObject([
      { status: "success", attempt_count: 2 },
    ]);
    expect(receiver.received("/results").filter((sent) => sent.task_id === taskId)).toMatchObject([
      { result_preview: `done: ${work.DELIVERED}` },
    ]);
    expect(vendor.callsOf(work.DELIVERED)).toEqual([]);
  });

  verifies("operations.upgrade.records", "its records are read and used as before", async () => {
    const taskId = await runOf(work.FINISHED);
    expect(await taskNow(service, taskId)).toMatchObject({
      status: "completed",
      result: `done: ${work.FINISHED}`,
      usage: { prompt_tokens: 11, completion_tokens: 7 },
    });
    expect((await readToEnd(service, { agentId, taskId })).at(-1)?.event.type).toBe("RUN_FINISHED");
    expect((await apiOf(service, service.keys.api).get(`/api-agents?id=${agentId}`)).status).toBe(200);
    const [schedule] = listOf(await desk().get("/schedules"));
    expect(schedule).toMatchObject({ name: work.PLANNED, is_active: true });
    const { task_id: planned } = fieldsOf(await desk().post(`/schedules/${String(schedule?.["id"])}/run`, {}));
    expect(await taskEnd(service, String(planned))).toMatchObject({ result: `done: ${work.PLANNED}` });
    const before = `resp_${await runOf(work.FIRST_WORDS)}`;
    await work.converse(service, { input: work.NEXT_WORDS, previous_response_id: before });
    const [next] = vendor.callsOf(work.NEXT_WORDS);
    expect(JSON.stringify(next?.body.messages)).toContain(work.FIRST_WORDS);
    expect(vendor.callsOf(work.FINISHED)).toEqual([]);
  });
});

/** `RECORD_UPGRADE=1`, with `--project soak test/soak/upgrade.test.ts`, records the fixture of this version anew. */
test.runIf(process.env["RECORD_UPGRADE"] === "1")("the fixture of this version is recorded", async () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")));
  const folder = join(FIXTURES, version);
  await mkdir(folder, { recursive: true });
  const database = await createDatabase();
  const [vendor, receiver] = [await work.startVendor(true), await startReceiver()];
  receiver.answerWith("/results", 500);
  const service = await startProcess({
    databaseUrl: database.url,
    keys: createKeys(),
    env: { ...vendor.env, ALLOW_PRIVATE_URLS: "true" },
  });
  await work.createWork(service, vendor, receiver.url);
  await service.kill();
  await saveFixture(database.url, folder, {
    [new URL(receiver.url).host]: RECEIVER,
    [hostname()]: "recorded-host",
    [MACHINE]: "recorded-machine",
  });
  await Promise.all([vendor.close(), receiver.close()]);
  await database.drop();
});
