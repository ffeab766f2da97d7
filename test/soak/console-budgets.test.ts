import { afterAll, beforeAll, expect } from "vitest";
import type { CDPSession, Page } from "playwright-core";
import { z } from "zod";
import { eventually } from "../support/eventually.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { useBrowser } from "../browser/browser.ts";
import { openLiveScene } from "../browser/live-scene.ts";
import type { LiveScene } from "../browser/live-scene.ts";

const SECOND = 1_000;
const MB = 1_000_000;
const MAX_COMMITS_PER_SECOND = 12;
const CYCLES = 60;
/** Caches are filled by then. */
const WARM = 40;
const MAX_GROWTH_BYTES = 3 * MB;

let scene: LiveScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openLiveScene();
});
afterAll(() => scene.service.stop());

verifies("live.commits", "100 words a second are rendered in at most 12 commits a second", async () => {
  const page = await browser.newSeparatePage();
  await scene.signIn(page);
  const agent = await createAgent(scene.api, { model: "demo" });
  const words = Array.from({ length: 3_000 }, (_, index) => `w${index}`).join(" ");
  const task = await createTask(scene.api, { title: "Streams", description: `[[slow:10]][[say:${words}]]` });
  await page.goto(`${scene.service.url}/w/my-workspace/runs/${task.id}?view=conversation`);
  await page.getByRole("heading", { name: "Streams", level: 1 }).waitFor();
  // The page is there before the first word; there are words for half a minute, however slow the machine is.
  await scene.api.patch(`/api-tasks?id=${task.id}`, { assigned_agent_id: agent.id });
  const conversation = page.getByRole("region", { name: "Steps" }).locator("[aria-live=off]");
  await conversation.getByText("w50").waitFor();
  await page.evaluate(`
    window.commits = 0;
    window.since = performance.now();
    new MutationObserver(() => window.commits++).observe(document.body, {
      subtree: true, childList: true, characterData: true, attributes: true,
    });`);
  const before = await wordsOn(page);
  await conversation.getByText(`w${before + 450}`).waitFor();
  const measured = await page.evaluate("({ commits: window.commits, ms: performance.now() - window.since })");
  const { commits, ms } = z.object({ commits: z.number(), ms: z.number() }).parse(measured);
  expect((await wordsOn(page)) - before).toBeGreaterThan(200);
  expect(commits / (ms / SECOND)).toBeLessThanOrEqual(MAX_COMMITS_PER_SECOND);
  await scene.api.patch(`/api-tasks?id=${task.id}`, { status: "cancelled" });
});

verifies(
  "live.flat",
  "opening, following and closing runs leaves one stream, and leaks no memory, nodes or listeners",
  async () => {
    const agent = await createAgent(scene.api, { model: "demo" });
    const words = Array.from({ length: 200 }, (_, index) => `w${index}`).join(" ");
    const { id } = await createTask(scene.api, {
      title: "Opened again and again",
      description: `[[slow:0]][[say:${words}]]`,
      assigned_agent_id: agent.id,
    });
    await taskIn(scene.api, id, "completed");
    const page = await browser.newSeparatePage();
    await scene.signIn(page);
    await page.goto(`${scene.service.url}/w/my-workspace/runs`);
    const devtools = await page.context().newCDPSession(page);
    let warm: Used | undefined;
    for (let cycle = 1; cycle <= CYCLES; cycle++) {
      await page.getByRole("link", { name: "Opened again and again" }).click();
      await page.getByRole("link", { name: "Conversation" }).click();
      await page.getByText("w199").first().waitFor();
      await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Runs" }).click();
      await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
      if (cycle === WARM) warm = await usedBy(devtools);
    }
    await scene.hasStreams(1);
    const used = await usedBy(devtools);
    expect(used.heap - (warm?.heap ?? 0)).toBeLessThan(MAX_GROWTH_BYTES);
    expect(used.heap).toBeLessThan(60 * MB);
    expect(used.listeners).toBeLessThanOrEqual((warm?.listeners ?? 0) + 20);
    expect(used.nodes).toBeLessThanOrEqual((warm?.nodes ?? 0) + 200);
  },
  240 * SECOND,
);

verifies("pages.long-list", "of 2,500 runs 60 rows are in the document; one scrolls down and back", async () => {
  const { id: agent } = await createAgent(scene.api, { name: "Bulk" });
  const newest = { title: "The newest of many", description: QUICK, assigned_agent_id: agent };
  const { id } = await createTask(scene.api, newest);
  await taskIn(scene.api, id, "completed");
  await sql(
    scene.service.databaseUrl,
    `insert into tasks (id, workspace_id, title, status, assigned_agent_id, created_at, completed_at)
     select gen_random_uuid(), workspace_id, 'Old task ' || n, 'completed', assigned_agent_id,
       created_at - n * interval '1 minute', completed_at
     from tasks, generate_series(1, 2499) as n where id = $1`,
    [id],
  );
  const page = await browser.newSeparatePage();
  await scene.signIn(page);
  await page.goto(`${scene.service.url}/w/my-workspace/runs?agent=${agent}`);
  await page.getByRole("link", { name: "The newest of many" }).waitFor();
  const table = page.getByRole("table", { name: "Runs" });
  const end = "document.getElementById('content').scrollTo(0, 1e9)";
  const last = page.getByRole("link", { name: "Old task 2499", exact: true });
  await eventually("the last row is there", async () => {
    await page.evaluate(end);
    return (await last.count()) === 1;
  });
  expect(await table.getByRole("row").count()).toBeLessThanOrEqual(60);
  // The row of headings counts as well.
  expect(await table.getAttribute("aria-rowcount")).toBe("2501");
  const first = page.getByRole("link", { name: "The newest of many" });
  await eventually("the first row is there again", async () => {
    await page.evaluate("document.getElementById('content').scrollTo(0, 0)");
    return (await first.count()) === 1;
  });
  expect(await table.getByRole("row").count()).toBeLessThanOrEqual(60);
});

interface Used {
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** What the page holds after its garbage was collected. */
async function usedBy(devtools: CDPSession): Promise<Used> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize: heap } = await devtools.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners: listeners } = await devtools.send("Memory.getDOMCounters");
  return { heap, nodes, listeners };
}

async function wordsOn(page: Page): Promise<number> {
  const text = await page.getByRole("region", { name: "Steps" }).locator("[aria-live=off]").innerText();
  return text.match(/\bw\d+/g)?.length ?? 0;
}
