/**
 * The main job from end to end: an agent, a task, its words as they come, the result.
 * Uses the service that runs on this data folder, or starts one for the time of the demo.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import { issueOperatorKey } from "#operations/accounts/first-start.ts";
import type { Config } from "../src/config.ts";
import { firstStartLines, orExplain, prepare, start } from "../src/main.ts";
import { openInstance } from "../src/instance.ts";

const CLI = join(import.meta.dirname, "../src/cli/main.ts");
const KEY_LIFETIME_MS = 3_600_000;
const TASK = `Say hello, tell the time, and say what you are.
[[tool:current_time {"time_zone":"Europe/Berlin"}]]
[[slow:60]]`;

/** The service that the demo talks to, and the database behind it. */
interface Stage {
  readonly url: string;
  readonly db: Database;
  readonly greeting: string;
  close(): Promise<void>;
}

/** What answers at our address does not know the keys of our database. */
class ForeignServiceError extends Error {
  override readonly name = "ForeignServiceError";
}

await orExplain(async () => {
  const { config, log } = prepare();
  const address = config.PUBLIC_URL ?? `http://127.0.0.1:${config.PORT}`;
  const stage = (await isRunning(address)) ? await joinService(address, config, log) : await ownService(config, log);
  try {
    await play(stage);
  } finally {
    await stage.close();
  }
});

async function isRunning(at: string): Promise<boolean> {
  const answer = await fetch(`${at}/healthz`).catch(() => undefined);
  return answer?.ok ?? false;
}

async function ownService(config: Config, log: Logger): Promise<Stage> {
  const { url, instance, stop } = await start(config, log);
  return { url, db: instance.db, greeting: "Started a temporary server for this demo.", close: stop };
}

async function joinService(url: string, config: Config, log: Logger): Promise<Stage> {
  const { db, made, close } = await openInstance(config, log);
  // Then the service there is on another database, but this one's keys are shown now or never.
  if (made !== undefined) say(firstStartLines(made, config).join("\n"));
  return { url, db, greeting: `Using the service at ${url}.`, close };
}

async function play({ url, db, greeting }: Stage): Promise<void> {
  const apiKey = await issueKey(db, "envelope");
  await checkKey(url, apiKey);
  say(greeting);
  const keys = { MUSTER_URL: url, MUSTER_API_KEY: apiKey, MUSTER_AGUI_KEY: await issueKey(db, "ag-ui") };
  const name = `Demo ${new Date().toISOString().slice(0, 19)}`;
  await muster(keys, "agents", "create", "--name", name, "--model", "demo", "--tools", "current_time");
  await muster(keys, "tasks", "create", "--agent", name, "--title", "Say hello", "--description", TASK, "--watch");
  say(`Where to look next:
  npm start                  keeps the service running and prints its address and keys
  ${`${url}/openapi.json`.padEnd(26)} the whole REST API
  npx muster --help          every command; set MUSTER_URL and MUSTER_API_KEY
  docs/models.md             use OpenAI, Anthropic, Google or your own endpoint instead of the demo model`);
}

function issueKey(db: Database, kind: "envelope" | "ag-ui"): Promise<string> {
  return issueOperatorKey(db, { kind, label: "Demo", expiresAt: new Date(Date.now() + KEY_LIFETIME_MS) });
}

async function checkKey(url: string, key: string): Promise<void> {
  const { ok } = await fetch(`${url}/functions/v1/api-me`, { headers: { "x-api-key": key } });
  if (ok) return;
  throw new ForeignServiceError(
    `Another Muster runs at ${url}, on another database than this one. Set PORT to a free port, or run the demo from there.`,
  );
}

async function muster(keys: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<void> {
  say(`$ muster ${args.map((arg) => (/^[\w.-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(" ")}`);
  const child = spawn(process.execPath, [CLI, ...args], { stdio: "inherit", env: { ...process.env, ...keys } });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = 1;
}

function say(text: string): void {
  process.stdout.write(`\n${text}\n`);
}
