import { Client } from "pg";
import { expect } from "vitest";
import { consoleOf, listOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { applyTo } from "../../support/resources/description.ts";
import { startPeer, startProcess } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const VOICE = { resource: "voice_profile", name: "Friendly", tone: "Casual" };
const TEMPLATE = { resource: "output_template", name: "Letter", type: "Markdown", body: "x" };

verifies("resources.killed", "an apply whose process is killed has changed nothing, and can be repeated", async () => {
  const service = await startProcess();
  const peer = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys });
  const [desk, other] = [service, peer].map((each) => consoleOf(each, service.keys.api));
  if (desk === undefined || other === undefined) throw new Error("There are two processes.");
  expect((await applyTo(desk, [VOICE, TEMPLATE])).status).toBe(200);
  const changed = [
    { ...VOICE, tone: "Formal" },
    { ...TEMPLATE, body: "y" },
  ];

  // The second record waits for its lock, while the first is written already.
  const holder = new Client(service.databaseUrl);
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from output_templates for update");
  const killed = applyTo(desk, changed).catch(() => undefined);
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%output_templates%'";
  await eventually("the second record waits", async () => (await sql(service.databaseUrl, waiting)).length > 0);
  // Another process rejects a second one meanwhile.
  expect((await applyTo(other, changed)).status).toBe(409);
  await service.kill();
  await killed;
  await holder.end();

  expect(listOf(await other.get("/voice-profiles"))).toMatchObject([{ tone: "Casual" }]);
  await eventually("the lock is free", async () => (await applyTo(other, changed)).status === 200);
  expect(listOf(await other.get("/voice-profiles"))).toMatchObject([{ tone: "Formal" }]);
  expect(listOf(await other.get("/output-templates"))).toMatchObject([{ body: "y" }]);
  await peer.stop();
});
