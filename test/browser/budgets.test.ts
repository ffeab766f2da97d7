import { afterAll, beforeAll, expect } from "vitest";
import type { Page } from "playwright-core";
import { callOf } from "../support/interactions.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../support/work.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

const KB = 1_000;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

/** What a page has fetched so far. */
interface Fetched {
  /** Of the files with an extension, by gzip: what a browser gets that knows nothing smaller. */
  bytes(extension: string): Promise<number>;
  readonly requests: readonly string[];
  /** The URLs of all that is no request to the API. */
  readonly files: ReadonlySet<string>;
}

function watch(page: Page): Fetched {
  const files = new Set<string>();
  const requests: string[] = [];
  page.on("requestfinished", (request) => {
    const { href, pathname } = new URL(request.url());
    if (request.resourceType() === "fetch") requests.push(pathname);
    else files.add(href);
  });
  return {
    requests,
    files,
    async bytes(extension) {
      const sizes = [...files].filter((file) => file.endsWith(extension)).map(zippedBytes);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
  };
}

async function zippedBytes(url: string): Promise<number> {
  const response = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  await response.body?.cancel();
  return Number(response.headers.get("content-length"));
}

verifies("pages.budgets", "the first view of a screen fetches few bytes and makes few requests", async () => {
  const first = await browser.newContext();
  const page = await first.newPage();
  const signIn = watch(page);
  await page.goto(`${scene.service.url}/sign-in`);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await page.evaluate("document.fonts.ready.then(() => true)");
  const signInScripts = await signIn.bytes(".js");
  expect(signInScripts).toBeGreaterThan(50 * KB);
  expect(signInScripts).toBeLessThan(125 * KB);
  expect(await signIn.bytes(".css")).toBeLessThan(14 * KB);
  expect(await signIn.bytes(".woff2")).toBeLessThan(75 * KB);
  await scene.signIn(page);

  // With an empty cache, and the session.
  const second = await browser.newContext();
  await second.addCookies(await first.cookies(`${scene.service.url}/auth`));
  const fresh = await second.newPage();
  const runs = watch(fresh);
  await fresh.goto(`${scene.service.url}/w/my-workspace/runs`);
  await fresh.getByRole("heading", { name: "No runs yet" }).waitFor();
  expect(await runs.bytes(".js")).toBeGreaterThan(signInScripts);
  expect(await runs.bytes(".js")).toBeLessThan(195 * KB);
  expect(new Set(runs.requests).size).toBeLessThanOrEqual(4);
});

verifies(
  "pages.budgets",
  "the page of a question fetches few bytes, and the parser of Markdown for Markdown alone",
  async () => {
    // With an empty cache.
    const page = await browser.newSeparatePage();
    await scene.signIn(page);
    const plain = watch(page);
    await page.goto(await askedAt("Is the refund of $84 right?"));
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.getByText("Is the refund of $84 right?").waitFor();
    expect(await plain.bytes(".js")).toBeLessThan(150 * KB);
    expect([...plain.files].filter(isParser)).toEqual([]);
    expect(new Set(plain.requests).size).toBeLessThanOrEqual(5);

    const rich = watch(page);
    await page.goto(await askedAt("Is the refund of **$84** right?"));
    await page.locator("strong", { hasText: "$84" }).waitFor();
    expect([...rich.files].filter(isParser)).toHaveLength(1);
  },
);

verifies("pages.budgets", "no screen needs more than 16 files of scripts and 256 kB to be shown", async () => {
  const { id } = await createAgent(scene.api, { name: "Sorter" });
  const page = await browser.newSeparatePage();
  await scene.signIn(page);
  for (const [path, heading] of [
    ["agents", "Agents"],
    [`agents/${id}`, "Sorter"],
    ["runs", "Runs"],
    ["schedules", "Schedules"],
    ["knowledge", "Knowledge"],
    ["usage", "Usage"],
  ] as const) {
    const view = watch(page);
    await page.goto(`${scene.service.url}/w/my-workspace/${path}`);
    await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
    const scripts = [...view.files].filter((file) => file.endsWith(".js"));
    expect(scripts.length, path).toBeGreaterThan(4);
    expect(scripts.length, path).toBeLessThanOrEqual(16);
    expect(await view.bytes(".js"), path).toBeLessThan(256 * KB);
  }
});

/** A question's page. */
async function askedAt(description: string): Promise<string> {
  const { id: agentId } = await createAgent(scene.api, { tools: ["request_approval"] });
  const ask = callOf("request_approval", { title: "Refund order 4711?", description });
  const { id } = await createTask(scene.api, { assigned_agent_id: agentId, description: ask });
  await taskIn(scene.api, id, "waiting_for_input");
  return `${scene.service.url}/r/${id}/answer`;
}

function isParser(url: string): boolean {
  return url.includes("/markdown-worker-");
}
