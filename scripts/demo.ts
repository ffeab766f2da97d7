/**
 * What Muster is for, in a minute: a task that survives `kill -9` of its service, a question to a person, and what it
 * cost. Everything is in a temporary folder, on a free port, and is deleted at the end.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { styleText } from "node:util";
import { z } from "zod";
import { generateKey } from "#domain/access/api-key.ts";
import { startDemoService, stopDemoService } from "./demo-service.ts";
import type { DemoService } from "./demo-service.ts";

const CLI = join(import.meta.dirname, "../src/cli/main.ts");
/** The offline model costs what gpt-4o does, so that there is something to see: USD per million tokens. */
const PRICES = JSON.stringify({ demo: { prompt: 2.5, completion: 10 } });
const POLL_INTERVAL_MS = 100;
/** The service is killed when so much of the answer has arrived. */
const WORDS_BEFORE_CRASH = 12;

const STORY = `Tell the time, then say what you are. [[slow:60]]
[[tool:current_time {"time_zone":"Europe/Berlin"}]]
[[say:I have read the clock, and that step is stored: it does not run again. While I say this, the service that I run in is killed. My unfinished answer is lost with it, but my task is not: the next process finds the task in the database, reuses the stored step, and asks the model for this answer once more. You are still on the same stream, and you missed nothing.]]`;
const QUESTION = `Ask before you paint. [[slow:20]]
[[tool:request_choice {"title":"Which colour for the door?","choices":[{"id":"red","label":"Red","description":"as it was"},{"id":"blue","label":"Blue","description":"like the sky"}]}]]`;

const tasks = z.array(z.looseObject({ id: z.string(), status: z.string(), assigned_agent_id: z.string() }));
type Task = z.output<typeof tasks>[number];

const key = generateKey("envelope");
const settings = { MUSTER_INIT_API_KEY: key, MODEL_PRICES: PRICES, LOG_LEVEL: "silent" };
const folder = await mkdtemp(join(tmpdir(), "muster-demo-"));
// For root the database runs under another account, which has to reach its folder.
await chmod(folder, 0o755);

say(`Starting a separate Muster for this demo, in ${folder}. It is deleted at the end.`);
let service: DemoService = await startDemoService(folder, { ...settings, PORT: "0" });
const { url } = service;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => void end().finally(() => process.exit(130)));
}
try {
  await play();
} finally {
  await end();
}

async function play(): Promise<void> {
  await muster("agents", "create", "--name", "Guide", "--model", "demo", "--tools", "current_time,request_choice");

  say("1. A task that survives a crash: while the agent answers, its service is killed.");
  const watching = muster(...taskOf("Explain yourself", STORY));
  await crashDuringAnswer();
  await watching;
  note("That was one stream. The tool was not called again; only the interrupted model call was repeated.");

  say("2. A task that asks a person, and waits: for a minute or a week, also through restarts.");
  const asking = muster(...taskOf("Paint the door", QUESTION));
  if (!process.stdin.isTTY) {
    const { id } = await awaitTask("waiting_for_input");
    await muster("tasks", "answer", id, "--choice", "blue");
  }
  await asking;

  say("3. What it cost (here the offline demo model is priced like gpt-4o).");
  await muster("usage", "--by", "agent");

  say(`What to do next:
  npm start               the service for your own work; it prints how to use it
  docs/models.md          OpenAI, Anthropic, Google or your own endpoint in place of the demo model
  docs/teams.md           several agents on one task
  docs/cli.md             every command`);
}

function taskOf(title: string, description: string): readonly string[] {
  return ["tasks", "create", "--agent", "Guide", "--title", title, "--description", description, "--watch"];
}

/** Kills the service in the middle of an answer, and starts it again on the same data. */
async function crashDuringAnswer(): Promise<void> {
  await answerBegins(await awaitTask("running"));
  note(`$ kill -9 ${service.process.pid ?? ""}`);
  service.process.kill("SIGKILL");
  await once(service.process, "exit");
  const begun = performance.now();
  service = await startDemoService(folder, { ...settings, PORT: new URL(url).port });
  note(`The service is back after ${((performance.now() - begun) / 1_000).toFixed(1)} s.`);
}

/** Waits until the stream of a task has brought some words. */
async function answerBegins(task: Task): Promise<void> {
  const response = await fetch(`${url}/ag-ui/${task.assigned_agent_id}/sse`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ threadId: task.id }),
  });
  const decoder = new TextDecoder();
  let events = "";
  for await (const bytes of response.body ?? []) {
    events += decoder.decode(bytes, { stream: true });
    if (events.split("TEXT_MESSAGE_CONTENT").length > WORDS_BEFORE_CRASH) return;
  }
}

/** Waits until the newest task is in a state. */
async function awaitTask(status: string): Promise<Task> {
  for (;;) {
    const response = await fetch(`${url}/functions/v1/api-tasks?limit=1`, { headers: { "x-api-key": key } });
    const [task] = tasks.parse(await response.json());
    if (task?.status === status) return task;
    await sleep(POLL_INTERVAL_MS);
  }
}

async function muster(...args: readonly string[]): Promise<void> {
  const shown = args.filter((_, index) => args[index] !== "--description" && args[index - 1] !== "--description");
  say(`$ muster ${shown.map((arg) => (/^[\w.,-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(" ")}`);
  const env = { ...process.env, MUSTER_URL: url, MUSTER_API_KEY: key };
  const child = spawn(process.execPath, [CLI, ...args], { stdio: "inherit", env });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = 1;
}

async function end(): Promise<void> {
  await stopDemoService(service);
  await rm(folder, { recursive: true, force: true });
}

function say(text: string): void {
  process.stdout.write(`\n${styleText("bold", text)}\n`);
}

function note(text: string): void {
  process.stdout.write(`\n${styleText("yellow", text)}\n`);
}
