import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateKey } from "#domain/access/api-key.ts";
import { apiOf, send } from "../../support/api.ts";
import { createDatabase } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { runMuster, startMuster } from "../../support/muster.ts";
import { nodeInTerminal } from "../../support/clients/terminal.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";

const MAIN = join(import.meta.dirname, "../../../src/main.ts");
const CTRL_C = "\u0003";
/** A signal within half a second of the first is not a person's. */
const REPEATED_MS = 600;

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "muster-terminal-"));
});
afterAll(() => rm(home, { recursive: true }));

test("a second Ctrl-C stops immediately, without warnings of what it cuts off", async () => {
  const folder = await mkdtemp(join(tmpdir(), "muster-second-"));
  // For root the database runs under another account, which has to reach its folder.
  await chmod(folder, 0o755);
  const key = generateKey("envelope");
  const settings = { HOME: home, MUSTER_DATA: folder, PORT: "0", MUSTER_INIT_API_KEY: key };
  const started = nodeInTerminal([MAIN], { env: settings, cwd: folder, columns: 200 });
  const [, url = ""] = /ready at (\S+)/.exec(await started.shows(/Ctrl-C stops/)) ?? [];
  const api = apiOf({ url }, key);
  const agent = await createAgent(api, { name: "Slow" });
  const task = await createTask(api, { title: "T", description: "[[slow:60000]] x", assigned_agent_id: agent.id });
  await taskIn(api, task.id, "running");
  started.type(CTRL_C);
  await started.shows(/Stopping: 1 job in progress, .* Ctrl-C again stops immediately; nothing is lost\./);
  await sleep(REPEATED_MS);
  started.type(CTRL_C);
  expect(await started.ended).toBe(130);
  expect(started.text()).not.toMatch(/WARN|ERROR/);
  // Its database may still be closing.
  await rm(folder, { recursive: true, maxRetries: 10 });
});

verifies(
  ["start.first.prints-key-once", "start.keys-for-operators", "start.first.set-up-link-again"],
  "on a terminal the first start prints lines to paste, the next a new set-up link, and Ctrl-C stops it",
  async () => {
    const database: TestDatabase = await createDatabase();
    const settings = { HOME: home, DATABASE_URL: database.url, MUSTER_DATA: home, PORT: "0" };
    const started = nodeInTerminal([MAIN], { env: settings, cwd: home, columns: 200 });
    const text = await started.shows(/Ctrl-C stops/);
    const [, url = ""] = /^ {2}export MUSTER_URL=(\S+)$/m.exec(text) ?? [];
    const [, key = ""] = /^ {2}export MUSTER_API_KEY=(mst_\w+)$/m.exec(text) ?? [];
    expect(text).toMatch(/Finish setup in the browser \(one-time link\):\n {2}http\S+token=\w+\n/);
    expect((await apiOf({ url }, key).get("/api-me")).status).toBe(200);
    const made = await startMuster(["keys", "create"], { env: settings, cwd: home }).ended;
    expect((await apiOf({ url }, made.stdout.trim()).get("/api-me")).status).toBe(200);
    for (const folder of ["none", home]) {
      const env = { HOME: home, MUSTER_DATA: folder };
      const elsewhere = await runMuster(["keys", "create"], { env, cwd: home });
      expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no service in") });
    }
    started.type(CTRL_C);
    await started.shows(/Stopping\. Ctrl-C again stops immediately\./);
    expect(await started.ended).toBe(0);
    await expectLinkAgain(tokenIn(text), settings);
    await database.drop();
  },
);

/** Starts the service again, with the set-up open; then finishes the set-up. */
async function expectLinkAgain(first: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const started = nodeInTerminal([MAIN], { env: settings, cwd: home, columns: 200 });
  const text = await started.shows(/Ctrl-C stops/);
  expect(text).not.toContain("mst_");
  const [, url = ""] = /ready at (\S+)/.exec(text) ?? [];
  const another = () => runMuster(["setup-link"], { env: settings, cwd: home });
  const second = tokenIn(text);
  const { code, stdout } = await another();
  const third = tokenIn(stdout);
  expect([code, stdout]).toEqual([0, `Finish setup in the browser, once: ${url}/auth/setup?token=${third}\n`]);
  const account = { email: "ada@example.org", password: "correct horse" };
  const use = async (token: string) =>
    (await send("POST", `${url}/auth/setup`, { body: { ...account, token } })).status;
  expect([await use(first), await use(second), await use(third), await use(third)]).toEqual([404, 404, 201, 404]);
  expect(await another()).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("is set up already") });
  for (const command of [["setup-link"], ["reset-password", "ada@example.org"], ["rotate-key"]]) {
    const elsewhere = await runMuster(command, { env: { HOME: home, MUSTER_DATA: "none" }, cwd: home });
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no service in") });
  }
  started.type(CTRL_C);
  expect(await started.ended).toBe(0);
}

function tokenIn(text: string): string {
  return /\/auth\/setup\?token=(\w+)/.exec(text)?.[1] ?? "";
}
