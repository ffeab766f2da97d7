import { afterAll, beforeAll, expect } from "vitest";
import type { Page, Route } from "playwright-core";
import { eventually } from "../../support/eventually.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { PHONE, useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";
import { openScreen } from "../sweep-screens.ts";

const DATA = /^https?:\/\/[^/]+\/(?:console\/api\/(?!live)|functions\/v1\/|files(?:\?|$))/;
const MAY_FAIL = ["/console/api/", "/functions/v1/", "/files"] as const;
/** What the service may answer instead of data, and the title that people read. */
const ANSWERS = [
  { status: 403, title: "Not allowed" },
  { status: 404, title: "Not in this workspace, or deleted" },
  { status: 409, title: "That did not work" },
  { status: 429, title: "Too many requests" },
  { status: 503, title: "The service could not answer" },
] as const;
/** One screen of each kind, with what it shows once it has its data. */
const SCREENS = [
  { path: "/runs", shows: "No runs yet" },
  { path: "/questions", shows: "No open questions" },
  { path: "/agents", shows: "Poet" },
  { path: "/tools", shows: "current_time" },
  { path: "/files", shows: "No files yet" },
  { path: "/destinations", shows: "No routes yet" },
  { path: "/protocols", shows: "No remote agents" },
  { path: "/settings/keys", shows: "First API key" },
] as const;

/** The lists that are empty at first. */
const FIRST_USE = [
  "/runs",
  "/teams",
  "/knowledge",
  "/files",
  "/schedules",
  "/triggers",
  "/destinations",
  "/destinations?tab=webhooks",
  "/protocols",
  "/protocols?tab=mcp",
  "/settings/approvals",
  "/settings/voices",
  "/settings/templates",
] as const;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
  await createAgent(scene.api, { name: "Poet" });
});
afterAll(() => scene.service.stop());

function open(page: Page, path: string) {
  return page.goto(urlOf(path));
}

/** As a link does, without another load of the console. */
async function show(page: Page, path: string): Promise<void> {
  await (page.url().startsWith(scene.service.url) ? openScreen(page, urlOf(path)) : open(page, path));
}

function urlOf(path: string): string {
  return `${scene.service.url}/w/my-workspace${path}`;
}

/** The service answers again. The stream may fill the screen before the button is reached, so both end the wait. */
async function recover(page: Page, shows: string): Promise<void> {
  await page.unroute(DATA);
  const main = page.getByRole("main");
  await eventually(`the screen shows ${shows}`, async () => {
    if (await page.getByText(shows).filter({ visible: true }).first().isVisible()) return true;
    const retry = main.getByRole("button", { name: "Retry", exact: true }).first();
    // A button that goes while it is pressed was replaced by what is waited for.
    await retry.click({ timeout: 1_000 }).catch(() => undefined);
    return false;
  });
}

function reject(status: number, message: string) {
  return (route: Route) =>
    route.fulfill({
      status,
      headers: { "X-Request-Id": "req-4711", ...(status === 429 && { "Retry-After": "2" }) },
      json: { error: { code: "some_code", message } },
    });
}

verifies("console.errors", "each error response is shown in place of the content, with a way to continue", async () => {
  const page = await browser.newPage({ mayFail: MAY_FAIL });
  await scene.signIn(page);
  for (const { status, title } of ANSWERS) {
    await page.route(DATA, reject(status, `Words of the service about ${status}.`));
    await open(page, "/agents");
    const alert = page.getByRole("main").getByRole("alert");
    await alert.getByRole("heading", { name: title }).waitFor();
    await alert.getByText(`Words of the service about ${status}.`).waitFor();
    await alert.getByText("req-4711").waitFor();
    await page.getByRole("link", { name: "Runs", exact: true }).waitFor();
    await alert.getByRole("button", { name: /^Retry/ }).waitFor();
    await recover(page, "Poet");
  }
});

verifies("console.errors.wait", "after too many requests a list is asked for once, when the wait is over", async () => {
  const page = await browser.newPage({ mayFail: MAY_FAIL });
  await scene.signIn(page);
  const asked: number[] = [];
  await page.route("**/functions/v1/api-agents*", async (route) => {
    if (asked.push(Date.now()) > 1) return route.continue();
    await reject(429, "Too many.")(route);
  });
  const isLive = page.waitForResponse((response) => response.url().includes("/console/api/live"));
  await open(page, "/agents");
  await page.getByRole("button", { name: "Retry in 1 s" }).waitFor();
  await isLive;
  await page.getByText("Poet").first().waitFor();
  expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(2_000);
});

verifies("console.errors", "without a connection a screen shows an error, and Retry loads its content", async () => {
  const page = await browser.newPage({ mayFail: MAY_FAIL });
  await scene.signIn(page);
  await page.route(DATA, (route) => route.abort("internetdisconnected"));
  await open(page, "/agents");
  await page.getByRole("heading", { name: "No connection" }).waitFor();
  await recover(page, "Poet");
});

verifies("console.errors", "no kind of screen stays empty or breaks when its data is refused", async () => {
  const page = await browser.newPage({ mayFail: MAY_FAIL });
  await scene.signIn(page);
  const found: string[] = [];
  for (const { path, shows } of SCREENS) {
    await page.route(DATA, reject(403, "Refused for the test."));
    await show(page, path);
    const told = page.getByRole("main").getByText("Refused for the test.").first();
    const isTold = await told.waitFor().then(
      () => true,
      () => false,
    );
    if (!isTold) found.push(`${path} says nothing`);
    await recover(page, shows).catch(() => found.push(`${path} stays without ${shows}`));
  }
  expect(found).toEqual([]);
});

verifies(
  "console.parts",
  "a screen that is opened while the service is away leaves the page, and opens later",
  async () => {
    const page = await browser.open(scene, "/runs", { mayFail: ["ERR_INTERNET_DISCONNECTED", "/auth/"] });
    await page.getByText("No runs yet").waitFor();
    await page.context().setOffline(true);
    const asked = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/auth/options"));
    await page.getByRole("link", { name: "Teams", exact: true }).click();
    await asked;
    const notice = page.getByText("The service can't be reached. What is not loaded yet opens when it responds again.");
    await notice.waitFor();
    await page.getByText("No runs yet").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Teams", level: 1 }).waitFor();
    await notice.waitFor({ state: "detached" });
  },
);

verifies(
  "console.first-use",
  "an empty list shows the request that fills it, within the width of a phone",
  async () => {
    const page = await browser.newPage({ viewport: PHONE });
    await scene.signIn(page);
    const found: string[] = [];
    for (const path of FIRST_USE) {
      await show(page, path);
      const main = page.getByRole("main");
      await main.getByRole("heading", { name: /^No .+ yet$/ }).waitFor();
      const command = main.getByLabel("Command", { exact: true });
      if (!(await command.innerText()).startsWith(`curl -s ${scene.service.url}/`)) found.push(`${path}: no request`);
      // Only the command itself may scroll.
      const wide = await page.evaluate("content.scrollWidth - content.clientWidth");
      if (wide !== 0) found.push(`${path}: ${String(wide)} pixels too wide`);
    }
    expect(found).toEqual([]);
  },
);
