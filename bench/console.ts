/**
 * Run by itself (`node bench/console.ts`): how soon pages of the console can be used, in a real Chromium, with 100,000
 * tasks in the workspace. Cold is a browser without a cache; warm the same one again. Medians of five.
 */
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { z } from "zod";
import { buildConsole, findChromium } from "../test/browser/find-chromium.ts";
import { percentile } from "./lib/percentile.ts";
import { openStage } from "./lib/stage.ts";
import { fillTasks } from "./runs-list.ts";

const PERSON = { email: "bench@example.org", password: "correct horse battery" };
const TIMES = 5;
const SCREENS_DOWN = 20;
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

await buildConsole();
const stage = await openStage({ MUSTER_INIT_EMAIL: PERSON.email, MUSTER_INIT_PASSWORD: PERSON.password });
const { path, env } = await findChromium();
const browser = await chromium.launch({
  executablePath: path,
  args: ["--no-sandbox"],
  env: { ...process.env, ...env },
});
try {
  await fillTasks(stage);
  const times: Times = {};
  for (let n = 0; n < TIMES; n++) await measureOnce(browser, times);
  console.log("| What | ms |\n| --- | --: |");
  for (const [what, all] of Object.entries(times)) console.log(`| ${what} | ${percentile(all, 50).toFixed(0)} |`);
  const { rows, longTasks, longestMs } = await scrollList(browser);
  console.log(`\n${SCREENS_DOWN} screens down: at most ${rows} rows in the document, ${longTasks} tasks over 50 ms,`);
  console.log(`the longest ${longestMs.toFixed(0)} ms`);
} finally {
  await browser.close();
  await stage.close();
}

/** One cold and one warm visit of each page, and changes between pages that have been read. */
async function measureOnce(from: Browser, times: Times): Promise<void> {
  const context = await newContext(from);
  for (const state of ["cold", "warm"]) {
    const page = await context.newPage();
    const button = page.getByRole("button", { name: "Sign in" });
    await timed(times, `sign-in, ${state}`, () => page.goto(`${stage.url}/sign-in`).then(() => button.waitFor()));
    await page.close();
  }
  await context.close();

  const signedIn = await newContext(from);
  await signIn(signedIn);
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
async function scrollList(from: Browser): Promise<z.output<typeof scrolled>> {
  const context = await newContext(from);
  await signIn(context);
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

async function signIn(context: BrowserContext): Promise<void> {
  const answer = await context.request.post(`${stage.url}/auth/sign-in`, {
    data: PERSON,
    headers: { Origin: stage.url, "Sec-Fetch-Site": "same-origin" },
  });
  if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}.`);
}

function newContext(from: Browser): Promise<BrowserContext> {
  return from.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
}

async function timed(times: Times, what: string, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await work();
  (times[what] ??= []).push(performance.now() - begun);
}
