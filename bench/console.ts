/**
 * Run by itself (`node bench/console.ts`): how soon pages of the console can be used, in a real Chromium, with 100,000
 * tasks in the workspace. Cold is a browser without a cache; warm the same one again. Medians of five.
 */
import { get } from "node:http";
import type { Page } from "playwright-core";
import { z } from "zod";
import { openConsoleStage } from "./lib/console-stage.ts";
import { percentile } from "./lib/percentile.ts";
import { fillTasks } from "./runs-list.ts";

const TIMES = 5;
const SCREENS_DOWN = 20;
/** What is loaded later than this belongs to no first view. */
const SETTLED_MS = 1_000;
const ASKS = `[[tool:request_approval ${JSON.stringify({ title: "Refund?", description: "$84.00", timeoutMs: 86_400_000 })}]]`;
const FIRST_ROW = "[role=row] a[data-row]";
const scrolled = z.object({ rows: z.int(), longTasks: z.int(), longestMs: z.number() });

/** Clicks a screen in the sidebar; gives the milliseconds until its first row is there. */
const CHANGE = `({ name, row }) => new Promise((done) => {
  const link = [...document.querySelectorAll("nav a")].find((each) => each.textContent.trim() === name);
  const begun = performance.now();
  const look = () =>
    document.querySelector(row) === null ? requestAnimationFrame(look) : done(performance.now() - begun);
  link.click();
  requestAnimationFrame(look);
})`;

/** Milliseconds, each measured {@link TIMES} times. */
type Times = Record<string, number[]>;

const stage = await openConsoleStage();
try {
  const agents = await fillTasks(stage);
  const times: Times = {};
  for (let n = 0; n < TIMES; n++) await measureOnce(times);
  console.log("| What | ms |\n| --- | --: |");
  for (const [what, all] of Object.entries(times)) console.log(`| ${what} | ${percentile(all, 50).toFixed(0)} |`);
  const { rows, longTasks, longestMs } = await scrollList();
  console.log(`\n${SCREENS_DOWN} screens down: at most ${rows} rows in the document, ${longTasks} tasks over 50 ms,`);
  console.log(`the longest ${longestMs.toFixed(0)} ms\n`);
  await measureBytes(agents[0] ?? "");
} finally {
  await stage.close();
}

/** One cold and one warm visit of each page, and changes between pages that have been read. */
async function measureOnce(times: Times): Promise<void> {
  const context = await stage.newContext({ isSignedIn: false });
  for (const state of ["cold", "warm"]) {
    const page = await context.newPage();
    const button = page.getByRole("button", { name: "Sign in" });
    await timed(times, `sign-in, ${state}`, () => page.goto(`${stage.url}/sign-in`).then(() => button.waitFor()));
    await page.close();
  }
  await context.close();

  const signedIn = await stage.newContext();
  for (const state of ["cold", "warm"]) {
    const page = await signedIn.newPage();
    await timed(times, `Runs with rows, ${state}`, () => openRuns(page));
    if (state === "warm") await changePages(page, times);
    await page.close();
  }
  await signedIn.close();
}

/** Between two lists that are in the cache: from the click to the rows, by the page's own clock. */
async function changePages(page: Page, times: Times): Promise<void> {
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await page.getByRole("link", { name: "Agent 1", exact: true }).waitFor();
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.locator(FIRST_ROW).first().waitFor();
  for (const [name, row] of [
    ["Agents", "[aria-label=Agents] a[data-row]"],
    ["Runs", FIRST_ROW],
  ] as const) {
    const ms = await page.evaluate(`(${CHANGE})(${JSON.stringify({ name, row })})`);
    (times["route change from the cache"] ??= []).push(z.number().parse(ms));
  }
}

/** Scrolls the list and watches how many rows there are, and what blocks the page. */
async function scrollList(): Promise<z.output<typeof scrolled>> {
  const context = await stage.newContext();
  const page = await context.newPage();
  await openRuns(page);
  return scrolled.parse(
    await page.evaluate(`(async () => {
      const long = [];
      new PerformanceObserver((list) => long.push(...list.getEntries())).observe({ type: "longtask" });
      const pane = document.querySelector("main");
      let rows = 0;
      for (let n = 0; n < ${SCREENS_DOWN}; n++) {
        pane.scrollBy(0, pane.clientHeight);
        await new Promise((done) => setTimeout(done, 100));
        rows = Math.max(rows, document.querySelectorAll("[role=row]").length);
      }
      return { rows, longTasks: long.length, longestMs: Math.max(0, ...long.map(({ duration }) => duration)) };
    })()`),
  );
}

async function openRuns(page: Page): Promise<void> {
  await page.goto(`${stage.url}/w/my-workspace/runs`);
  await page.locator(FIRST_ROW).first().waitFor();
}

/** What the first view of a page loads into an empty browser. */
async function measureBytes(agent: string): Promise<void> {
  const task = { title: "Approve", assigned_agent_id: agent, description: ASKS };
  const asking = await stage.call("POST", "/functions/v1/api-tasks", task);
  const pages = {
    "sign-in": "/sign-in",
    "answer to a question": `/r/${asking.id}/answer`,
    Home: "/w/my-workspace",
    Questions: "/w/my-workspace/questions",
    Runs: "/w/my-workspace/runs",
    "a run": `/w/my-workspace/runs/${asking.id}`,
    Agents: "/w/my-workspace/agents",
    "an agent": `/w/my-workspace/agents/${agent}`,
    Usage: "/w/my-workspace/usage",
  };
  console.log("| First view of | scripts | kB as br | kB as gzip | styles | fonts | API calls |");
  console.log("| --- | --: | --: | --: | --: | --: | --: |");
  for (const [name, path] of Object.entries(pages)) {
    const context = await stage.newContext({ isSignedIn: name !== "sign-in" });
    const page = await context.newPage();
    const files: string[] = [];
    let calls = 0;
    page.on("request", (request) => {
      if (request.resourceType() === "fetch") calls += 1;
      else files.push(request.url());
    });
    await page.goto(stage.url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForTimeout(SETTLED_MS);
    const sum = (extension: string, encoding: string) =>
      bytesOf(
        files.filter((file) => file.endsWith(extension)),
        encoding,
      );
    const kB = (bytes: number) => (bytes / 1_000).toFixed(1);
    const scripts = files.filter((file) => file.endsWith(".js")).length;
    const sizes = [
      await sum(".js", "br"),
      await sum(".js", "gzip"),
      await sum(".css", "br"),
      await sum(".woff2", "br"),
    ];
    console.log(`| ${name} | ${scripts} | ${sizes.map(kB).join(" | ")} | ${calls} |`);
    await context.close();
  }
}

async function bytesOf(files: readonly string[], encoding: string): Promise<number> {
  const sizes = await Promise.all([...new Set(files)].map((file) => bytesOfOne(file, encoding)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function bytesOfOne(file: string, encoding: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(file, { headers: { "Accept-Encoding": encoding } }, (response) => {
      let size = 0;
      response.on("data", (chunk: Buffer) => (size += chunk.length));
      response.on("end", () => resolve(size));
    }).on("error", reject);
  });
}

async function timed(times: Times, what: string, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await work();
  (times[what] ??= []).push(performance.now() - begun);
}
