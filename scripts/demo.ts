/**
 * The main job from end to end: an agent, a task, its words as they come, the result.
 * Uses the service that runs on this data folder, or starts one for the time of the demo.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pino } from "pino";
import { issueOperatorKey } from "#operations/first-start.ts";
import { readConfig } from "../src/config.ts";
import { openInstance, startService } from "../src/service.ts";

const CLI = join(import.meta.dirname, "../src/cli/main.ts");
const KEY_LIFETIME_MS = 3_600_000;
const TASK = `Say hello, tell the time, and say what you are.
[[tool:current_time {"time_zone":"Europe/Berlin"}]]
[[slow:60]]`;

const config = readConfig();
const log = pino({ level: config.LOG_LEVEL }, pino.destination(2));
const address = config.PUBLIC_URL ?? `http://127.0.0.1:${config.PORT}`;

const running = await isRunning(address);
const service = running ? undefined : await startService(config, log);
const instance = service?.instance ?? (await openInstance(config, log));
const url = service?.url ?? address;
say(running ? `Using the service at ${url}.` : `Started the service at ${url} for this demo.`);

const keys = {
  MUSTER_URL: url,
  MUSTER_API_KEY: await issueKey("envelope"),
  MUSTER_AGUI_KEY: await issueKey("ag-ui"),
};
const name = `Demo ${new Date().toISOString().slice(0, 19)}`;
await muster("agents", "create", "--name", name, "--model", "demo", "--tools", "current_time");
await muster("tasks", "create", "--agent", name, "--title", "Say hello", "--description", TASK, "--watch");

say(`Where to look next:
  npm start                  keeps the service running and prints its address and keys
  ${`${url}/openapi.json`.padEnd(26)} the whole REST API
  npx muster --help          every command; set MUSTER_URL and MUSTER_API_KEY
  docs/models.md             use OpenAI, Anthropic, Google or your own endpoint instead of the demo model`);
await (service?.stop() ?? instance.close());

async function isRunning(at: string): Promise<boolean> {
  const answer = await fetch(`${at}/healthz`).catch(() => undefined);
  return answer?.ok ?? false;
}

function issueKey(kind: "envelope" | "ag-ui"): Promise<string> {
  return issueOperatorKey(instance.db, { kind, label: "Demo", expiresAt: new Date(Date.now() + KEY_LIFETIME_MS) });
}

async function muster(...args: readonly string[]): Promise<void> {
  say(`$ muster ${args.map((arg) => (/^[\w.-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(" ")}`);
  const child = spawn(process.execPath, [CLI, ...args], { stdio: "inherit", env: { ...process.env, ...keys } });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = 1;
}

function say(text: string): void {
  process.stdout.write(`\n${text}\n`);
}
