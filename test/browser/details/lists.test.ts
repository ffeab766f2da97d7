import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { verifies } from "../../support/verifies.ts";
import { FAILING, QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { DESKTOP, useBrowser } from "../browser.ts";
import { sql } from "../../support/workspace.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";
import { LOOKS, sweepScreens } from "../sweep-screens.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
  const { id } = await createAgent(scene.api, { name: "Archivist" });
  const give = (title: string, description: string) =>
    createTask(scene.api, { title, assigned_agent_id: id, description });
  await taskIn(scene.api, (await give("Sort the letters", QUICK)).id, "completed");
  await taskIn(scene.api, (await give("Bind the books", FAILING)).id, "failed");
});
afterAll(() => scene.service.stop());

function openAt(path: string, viewport: { readonly width: number; readonly height: number } = DESKTOP) {
  return browser.open(scene, path, { viewport });
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error("It is not visible.");
  return box;
}

const MANY = `
  with w as (select id from workspaces limit 1), a as (
    insert into agents (id, workspace_id, name, model, provider)
    select gen_random_uuid(), w.id, 'Clerk ' || n, 'demo', 'demo' from w, generate_series(1, 110) n)
  insert into tasks (id, workspace_id, title, status, error_code, created_at, completed_at)
  select gen_random_uuid(), w.id, 'Letter ' || n, 'failed', 'MODEL_ERROR', now() - n * interval '1 day', now()
  from w, generate_series(1, 60) n`;

/** Holds the responses to matching requests until they are released. */
async function hold(page: Page, url: RegExp) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return { asked: page.waitForRequest(url), release: resolve };
}

const runRow = (page: Page) => page.getByRole("row").filter({ hasText: "Bind the books" });

verifies("console.lists.density", "compact rows are chosen once, for all lists and later visits", async () => {
  const page = await browser.newSeparatePage();
  await scene.signIn(page);
  await page.goto(`${scene.service.url}/w/my-workspace/runs`);
  await runRow(page).waitFor();
  await expect.poll(async () => (await boxOf(runRow(page))).height).toBe(40);
  await page.getByRole("button", { name: "Owner" }).click();
  await page.getByRole("menuitemradio", { name: "Compact" }).click();
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await boxOf(runRow(page))).height).toBe(32);
  await page.reload();
  await expect.poll(async () => (await boxOf(runRow(page))).height).toBe(32);
  // The error code is beside the title.
  const title = await boxOf(page.getByRole("link", { name: "Bind the books" }));
  const code = await boxOf(runRow(page).getByText("MODEL_ERROR"));
  expect(code.x).toBeGreaterThan(title.x + title.width);

  await page.goto(`${scene.service.url}/w/my-workspace/agents`);
  const agent = page.getByRole("row").filter({ hasText: "Archivist" });
  await agent.waitFor();
  const compact = (await boxOf(agent)).height;
  await page.evaluate("delete document.documentElement.dataset.density");
  expect(compact).toBeLessThanOrEqual((await boxOf(agent)).height - 8);
  await page.reload();
  const urls = ["runs", "agents"].map((name) => ({ name, url: `${scene.service.url}/w/my-workspace/${name}` }));
  const screens = [
    { ...urls[0], shows: "Bind the books" },
    { ...urls[1], shows: "Archivist" },
  ].map(({ name = "", url = "", shows }) => ({ name, url, shows }));
  expect(
    await sweepScreens(
      page,
      LOOKS.filter(({ viewport }) => viewport === DESKTOP),
      screens,
    ),
  ).toEqual({});
});

verifies("console.lists.widths", "a column of Runs is resized by keys and by dragging, and stays so", async () => {
  const page = await openAt("/runs");
  const handle = page.getByRole("separator", { name: "Width of By" });
  const cell = runRow(page).getByText("Archivist").filter({ visible: true });
  const widthNow = async () => [await handle.getAttribute("aria-valuenow"), (await boxOf(cell)).width];
  await handle.focus();
  await expect.poll(widthNow).toEqual(["160", 160]);
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowLeft"]) await page.keyboard.press(key);
  await expect.poll(widthNow).toEqual(["176", 176]);
  await page.reload();
  await handle.waitFor();
  await expect.poll(widthNow).toEqual(["176", 176]);

  const { x, y, width, height } = await boxOf(handle);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 40, y + height / 2, { steps: 4 });
  await expect.poll(widthNow).toEqual(["216", 216]);
  // It stops where the title would become too narrow.
  await page.mouse.move(x + width / 2 - 400, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await eventually("its width is what it says", async () => {
    const [stated, shown] = await widthNow();
    return Number(shown) > 216 && stated === String(shown);
  });
  await handle.focus();
  await page.keyboard.press("Enter");
  await expect.poll(widthNow).toEqual(["160", 160]);

  // The widest columns leave room for the title, also in a narrower window.
  for (const name of ["By", "Source", "Started", "Duration", "Tokens", "Cost"]) {
    await page.getByRole("separator", { name: `Width of ${name}` }).focus();
    await page.keyboard.press("End");
  }
  for (const size of [1280, 900]) {
    await page.setViewportSize({ width: size, height: 800 });
    await expect
      .poll(async () => (await boxOf(page.getByRole("columnheader", { name: "Title" }))).width)
      .toBeGreaterThanOrEqual(160);
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  }
  // A window of 1280 pixels at 200 % zoom.
  await page.setViewportSize({ width: 640, height: 400 });
  await handle.waitFor({ state: "hidden" });
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
});

verifies("console.lists.widths", "columns of other lists are resized as well, on the side of the title", async () => {
  const page = await openAt("/settings/audit");
  const who = page.getByRole("columnheader", { name: "Who" });
  const handle = page.getByRole("separator", { name: "Width of Who" });
  const widthNow = async () => Math.round((await boxOf(who)).width);
  await handle.focus();
  const first = await widthNow();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight"]) await page.keyboard.press(key);
  await expect.poll(widthNow).toBe(first + 16);
  await page.reload();
  await handle.waitFor();
  await expect.poll(widthNow).toBe(first + 16);
  await handle.focus();
  await expect.poll(() => handle.getAttribute("aria-valuenow")).toBe(String(first + 16));
  await page.keyboard.press("Enter");
  await expect.poll(widthNow).toBe(first);

  await page.goto(`${scene.service.url}/w/my-workspace/agents`);
  const model = page.getByRole("columnheader", { name: "Model" });
  const line = page.getByRole("separator", { name: "Width of Model" });
  await line.waitFor();
  const { x, y, width, height } = await boxOf(line);
  const before = (await boxOf(model)).width;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 40, y + height / 2, { steps: 4 });
  await expect.poll(async () => (await boxOf(model)).width).toBeCloseTo(before + 40, 0);
  // It stops where the name would become too narrow, and fits into narrower windows.
  await page.mouse.move(0, y + height / 2, { steps: 4 });
  await page.mouse.up();
  for (const size of [1280, 900, 640]) {
    await page.setViewportSize({ width: size, height: 800 });
    await expect
      .poll(async () => (await boxOf(page.getByRole("columnheader", { name: "Name" }))).width)
      .toBeGreaterThanOrEqual(120);
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  }
});

verifies(
  "console.pages.left",
  "a step that is selected after the person has left the run does not lead back",
  async () => {
    const page = await openAt("/runs");
    const [steps, screen] = [await hold(page, /\/steps\?/), await hold(page, /\/assets\/teams-/)];
    await page.getByRole("link", { name: "Bind the books" }).click();
    await page.getByRole("heading", { name: "Bind the books", level: 1 }).waitFor();
    await steps.asked;
    await page.getByRole("link", { name: "Teams", exact: true }).click();
    await screen.asked;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    // The run is still shown, and its failed step would be selected now.
    steps.release();
    await page.getByRole("row").filter({ hasText: "Model call 1" }).waitFor();
    screen.release();
    await page.getByRole("heading", { name: "Teams", level: 1 }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe("/w/my-workspace/teams");
    expect(requests.filter((url) => url.includes("undefined"))).toEqual([]);
  },
);

verifies("console.lists.whole", "a list without rows says so only once it has the rows of its filters", async () => {
  const page = await openAt("/runs");
  for (const [list, row] of [
    ["runs", "Sort the letters"],
    ["agents", "Archivist"],
  ] as const) {
    await page.goto(`${scene.service.url}/w/my-workspace/${list}?q=nothing`);
    const clear = page.getByRole("main").getByRole("link", { name: "Clear filters" });
    await clear.waitFor();
    const rows = await hold(page, new RegExp(`/(api/runs|api-agents)\\?(?!.*nothing)`));
    await clear.click();
    await rows.asked;
    await page.getByRole("status", { name: "Loading" }).waitFor();
    expect(await page.getByText(/^No .* yet$/).count()).toBe(0);
    rows.release();
    await page.getByRole("main").getByRole("link", { name: row }).first().waitFor();
  }
});

verifies("console.lists.focus", "the focus stays in the page when Clear filters is gone", async () => {
  const page = await openAt("/runs");
  const ways = ["button", "link"] as const;
  const [button, link] = ways.map((role) => page.getByRole("main").getByRole(role, { name: "Clear filters" }));
  const focused = () => page.evaluate("document.activeElement.id");
  for (const [path, clear] of [
    ["/runs?q=letters", button],
    ["/runs?q=nothing", link],
    ["/agents?q=Archivist", button],
    ["/agents?q=nothing", link],
  ] as const) {
    await page.goto(`${scene.service.url}/w/my-workspace${path}`);
    await clear?.press("Enter");
    await expect.poll(focused).toBe("content");
  }

  await page.goto(`${scene.service.url}/w/my-workspace/runs`);
  await page.getByRole("link", { name: "Sort the letters" }).click();
  await page.getByRole("searchbox", { name: "Find steps" }).fill("nothing");
  await button?.press("Enter");
  await expect.poll(focused).toBe("content");
});

verifies(
  ["console.lists.top", "console.lists.focus"],
  "a screen starts at its top; back, Escape after a reload, and a dialog keep the place",
  async () => {
    await sql(scene.service.databaseUrl, MANY);
    const page = await openAt("/runs");
    await page.getByRole("link", { name: "Letter 1", exact: true }).waitFor();
    const place = async () => Number(await page.evaluate("content.scrollTop"));
    await page.keyboard.press("PageDown");
    await expect.poll(place).toBeGreaterThan(0);
    await page.keyboard.press("Home");
    await expect.poll(place).toBe(0);
    const scroll = async () => {
      await page.evaluate("content.scrollTop = 900");
      await page.getByRole("link", { name: "Letter 30", exact: true }).waitFor();
      expect(await place()).toBe(900);
    };
    await scroll();
    await page.keyboard.press("c");
    await page.getByRole("dialog", { name: "New task" }).waitFor();
    expect(await place()).toBe(900);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await place()).toBe(900);

    await page.getByRole("link", { name: "Failed", exact: true }).click();
    await page.waitForURL("**/runs?status=failed");
    await eventually("the failed runs start at the top", async () => (await place()) === 0);
    await scroll();
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await page
      .getByRole("link", { name: /^Clerk/ })
      .first()
      .waitFor();
    expect(await place()).toBe(0);
    await page.goBack();
    await page.getByRole("link", { name: "Letter 30", exact: true }).waitFor();
    await eventually("the list is where it was left", async () => (await place()) === 900);

    // Rows above those in view are in the document, too.
    await page.keyboard.press("j");
    await page.locator("a[data-row]:focus").waitFor();
    expect(await place()).toBe(900);
    await page.getByRole("link", { name: "Letter 30", exact: true }).click();
    const title = page.getByRole("heading", { name: "Letter 30", level: 1 });
    await title.waitFor();
    await page.reload();
    await title.waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL("**/runs?status=failed");
    await page.goto(`${scene.service.url}/w/my-workspace/agents`);
    const more = page.getByRole("button", { name: "Show more" });
    const last = page.getByRole("link", { name: "Archivist", exact: true });
    await more.press("Enter");
    await last.waitFor();
    await page.locator("#content:focus").waitFor();
  },
);
