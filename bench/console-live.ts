/**
 * Run by itself (`node bench/console-live.ts [minutes]`): what an open page of a run costs, in a real Chromium. How
 * long a word takes from its event to the screen and how busy the page is at 100 words per second, alone and in 20
 * branches; how soon 500 steps are shown; what the page holds after runs were opened, followed and closed for a minute,
 * or as many as given.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { CDPSession, Page } from "playwright-core";
import { z } from "zod";
import { openConsoleStage } from "./lib/console-stage.ts";
import { percentile } from "./lib/percentile.ts";

const WORDS = 1_500;
const BRANCHES = 20;
const WATCHED_MS = 8_000;
const MINUTES = Number(process.argv[2] ?? 1);
const WORDS_PER_RUN = 600;
const MB = 1_000_000;
const STEPS = 500;

const delta = z.object({ type: z.literal("TEXT_MESSAGE_CONTENT"), delta: z.string(), timestamp: z.number() });
const painted = z.array(z.tuple([z.string(), z.number()]));
const page1 = z.object({ status: z.string() });

/** Notes when each new word is on the screen: at the end of the frame that draws it. */
const WATCH_WORDS = `
  window.painted = new Map();
  const look = () => requestAnimationFrame(() => {
    const now = Date.now();
    const text = document.querySelector("[aria-live=off]")?.innerText ?? "";
    for (const [word] of text.matchAll(/\\bw\\d+\\b/g)) if (!window.painted.has(word)) window.painted.set(word, now);
  });
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });`;

const stage = await openConsoleStage();
const database = new Client({ connectionString: stage.databaseUrl });
await database.connect();
try {
  const agent = await stage.call("POST", "/functions/v1/api-agents", { name: "Writer", model: "demo" });
  console.log("| What | value | goal |\n| --- | --: | --: |");
  await measureWords(agent.id);
  await measureBranches(agent.id);
  await measureSteps(agent.id);
  await measureMemory(agent.id);
} finally {
  await database.end();
  await stage.close();
}

/** One run that writes 100 words per second. */
async function measureWords(agentId: string): Promise<void> {
  const task = await giveTask({ description: `[[slow:10]][[say:${words(WORDS)}]]` });
  const page = await openPage(`/runs/${task}?view=conversation`);
  await page.evaluate(WATCH_WORDS);
  const written = readWords(task);
  await stage.call("PATCH", `/functions/v1/api-tasks?id=${task}`, { assigned_agent_id: agentId });
  await page.locator("[aria-live=off]").getByText("w20").first().waitFor();
  const busy = await busyShare(page);
  await page
    .locator("[aria-live=off]")
    .getByText(`w${WORDS - 1}`)
    .first()
    .waitFor();
  const shown = new Map(painted.parse(await page.evaluate("[...window.painted]")));
  const latencies = [...(await written)].flatMap(([word, at]) => {
    const seen = shown.get(word);
    return seen === undefined ? [] : [seen - at];
  });
  line("a word from its event to the screen, p50", `${percentile(latencies, 50).toFixed(0)} ms`, "");
  line(`the same, p95 of ${latencies.length} words`, `${percentile(latencies, 95).toFixed(0)} ms`, "200 ms");
  line("main thread at 100 words per second", `${(busy * 100).toFixed(0)} %`, "20 %");
  await page.context().close();
}

/** A fan-out whose branches write 100 words per second each. */
async function measureBranches(agentId: string): Promise<void> {
  const branches: string[] = [];
  for (let n = 0; n < BRANCHES; n++) {
    branches.push((await stage.call("POST", "/functions/v1/api-agents", { name: `Voice ${n}`, model: "demo" })).id);
  }
  const chorus = { type: "fan_out", step_name: "All", parallel_agents: branches, merge_agent_id: agentId };
  const team = await stage.call("POST", "/functions/v1/api-teams", {
    name: "Chorus",
    mode: "pipeline",
    config: { steps: [chorus] },
  });
  const run = await stage.call("POST", "/functions/v1/api-runs", {
    team_id: team.id,
    input_task: `[[slow:10]][[say:${words(WORDS)}]]`,
  });
  const page = await openPage(`/runs/${run.id}`);
  await page.getByText(`${BRANCHES} running`).first().waitFor();
  line(`main thread, ${BRANCHES} branches at once`, `${((await busyShare(page)) * 100).toFixed(0)} %`, "35 %");
  await stage.call("PATCH", `/functions/v1/api-runs?id=${run.id}`, { status: "cancelled" });
  await page.context().close();
}

/** A run with 500 steps. */
async function measureSteps(agentId: string): Promise<void> {
  const task = await giveTask({ description: "[[say:Done.]]", assigned_agent_id: agentId });
  await completed(task);
  await database.query(
    `insert into run_steps (run_id, attempt, key, workspace_id, result, facts, started_at, first_token_at, ended_at)
     select run_id, attempt, 'model:' || n, workspace_id, result, facts,
       started_at + n * interval '1 second', first_token_at + n * interval '1 second', ended_at + n * interval '1 second'
     from run_steps, generate_series(1, $2) as n
     where run_id = $1 and key = 'model:0'`,
    [task, STEPS - 1],
  );
  const context = await stage.newContext();
  const times: number[] = [];
  for (let n = 0; n < 5; n++) {
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(`${stage.url}/w/my-workspace/runs/${task}`);
    await page.getByText(`${STEPS} steps`).waitFor();
    times.push(performance.now() - begun);
    if (n === 4) line(`rows in the document, ${STEPS} steps`, String(await page.getByRole("row").count()), "60");
    await page.close();
  }
  line(`a run of ${STEPS} steps is shown, median of 5`, `${percentile(times, 50).toFixed(0)} ms`, "");
  await context.close();
}

/** Opens, follows and closes a run that writes, again and again, without loading the page again. */
async function measureMemory(agentId: string): Promise<void> {
  const page = await openPage("/runs");
  const devtools = await page.context().newCDPSession(page);
  const begun = performance.now();
  const minutes = () => (performance.now() - begun) / 60_000;
  let runs = 0;
  let before: Awaited<ReturnType<typeof usedBy>> | undefined;
  while (minutes() < MINUTES) {
    await followRun(page, agentId, `Run number ${++runs}`);
    if (minutes() > (MINUTES / 3) * 2) before ??= await usedBy(devtools);
  }
  const after = await usedBy(devtools);
  before ??= after;
  const done = `${runs} runs of ${WORDS_PER_RUN} words in ${MINUTES} min`;
  line(`heap after ${done}`, `${(after.heap / MB).toFixed(1)} MB`, "60 MB");
  line("growth in the last third", `${((after.heap - before.heap) / MB).toFixed(1)} MB`, "3 MB");
  line("nodes then and at the end", `${before.nodes}, ${after.nodes}`, "flat");
  line("listeners then and at the end", `${before.listeners}, ${after.listeners}`, "flat");
  await page.context().close();
}

/** Starts a run, opens it from the list, follows it to its end and goes back to the list. */
async function followRun(page: Page, agentId: string, title: string): Promise<void> {
  const description = `[[slow:1]][[say:${words(WORDS_PER_RUN)}]]`;
  await giveTask({ title, description, assigned_agent_id: agentId });
  const news = page.getByRole("button", { name: /^\d+ new$/ });
  const link = page.getByRole("link", { name: title, exact: true });
  await news.or(link).first().waitFor();
  if (await news.isVisible()) await news.click();
  await link.click();
  await page.getByRole("link", { name: "Conversation" }).click();
  await page
    .getByText(`w${WORDS_PER_RUN - 1}`)
    .first()
    .waitFor();
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Runs" }).click();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
}

async function openPage(path: string): Promise<Page> {
  const page = await (await stage.newContext()).newPage();
  await page.goto(`${stage.url}/w/my-workspace${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

/** The share of a core that the page's main thread takes, over some seconds. */
async function busyShare(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const before = await taskSeconds(devtools);
  const begun = performance.now();
  await pause(WATCHED_MS);
  const busy = (await taskSeconds(devtools)) - before;
  return busy / ((performance.now() - begun) / 1_000);
}

async function taskSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}

async function usedBy(devtools: CDPSession) {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize: heap } = await devtools.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners: listeners } = await devtools.send("Memory.getDOMCounters");
  return { heap, nodes, listeners };
}

/** When the service wrote each word, by the log of the run. */
async function readWords(task: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${stage.url}/console/api/live?follow=${task}@0`, {
    headers: { "X-API-Key": stage.apiKey },
  });
  const times = new Map<string, number>();
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const data of lines.filter((each) => each.startsWith("data: "))) {
      const event = delta.safeParse(JSON.parse(data.slice("data: ".length)));
      for (const [word] of event.data?.delta.matchAll(/\bw\d+\b/g) ?? []) times.set(word, event.data?.timestamp ?? 0);
    }
    if (times.has(`w${WORDS - 1}`)) break;
  }
  return times;
}

async function giveTask(task: object): Promise<string> {
  return (await stage.call("POST", "/functions/v1/api-tasks", { title: "Write", ...task })).id;
}

async function completed(task: string): Promise<void> {
  for (;;) {
    const { rows } = await database.query("select status from tasks where id = $1", [task]);
    if (page1.parse(rows[0]).status === "completed") return;
    await pause(50);
  }
}

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `w${index}`).join(" ");
}

function line(what: string, value: string, goal: string): void {
  console.log(`| ${what} | ${value} | ${goal} |`);
}
