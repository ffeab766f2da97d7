import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { verifies } from "../../support/verifies.ts";
import { useBrowser } from "../browser.ts";
import { openMainScreens } from "../screens-main.ts";
import { SWEEP_TIMEOUT_MS } from "../sweep-screens.ts";
import type { SweptScene } from "../sweep-screens.ts";

const DATA = /^https?:\/\/[^/]+\/(?:console\/api\/(?!live)|functions\/v1\/|files(?:\?|$))/;
const STATUSES = [403, 429, 500] as const;
/** The first request and two more: a service that could not answer is asked again. One that refused is not. */
const MAX_REQUESTS = { 403: 1, 429: 1, 500: 3 } as const;
/** Longer than all retries of a request take. */
const RETRIES_MS = 4_000;
/** Longer than the page waits before it reads what may have changed. */
const REFETCH_MS = 1_400;
const WORDS = "Words of the service.";
/** Of every screen: the count in the sidebar and whether work is paused, which say nothing without an answer. */
const COUNT = /\/console\/api\/(?:questions\?|workspace$)/;

let swept: SweptScene;
const browser = useBrowser();
beforeAll(async () => {
  swept = await openMainScreens();
});
afterAll(() => swept.close());

verifies(
  "console.errors.calm",
  "a screen whose requests are refused asks at most three times, shows why, and offers a way on",
  async () => {
    const page = await openPage();
    const found: string[] = [];
    for (const { name, url } of swept.screens) {
      for (const status of STATUSES) {
        const asked = await openRefused(page, url, status, DATA);
        const isTold = await page.getByText(WORDS).first().isVisible();
        const ofScreen = [...asked.keys()].filter((request) => !COUNT.test(request));
        if (ofScreen.length > 0 && !isTold) found.push(`${name} says nothing about ${status}`);
        found.push(...tooOften(asked, MAX_REQUESTS[status], `${name}, ${status}`));
      }
    }
    expect(found).toEqual([]);
  },
  SWEEP_TIMEOUT_MS,
);

verifies(
  "console.errors.calm",
  "Home and Usage show all parts but the one whose request is refused",
  async () => {
    const page = await openPage();
    const found: string[] = [];
    for (const { name, url, shows } of swept.screens.filter(({ name: each }) => ["home", "usage"].includes(each))) {
      for (const part of ["budgets", "overview", "runs", "usage"]) {
        for (const status of STATUSES) {
          const asked = await openRefused(page, url, status, new RegExp(`/console/api/${part}\\?`));
          if (asked.size === 0) continue;
          const heading = page.getByRole("heading", { name: "Running now" });
          if (!(await heading.isVisible())) found.push(`${name} is empty without ${part}, ${status}`);
          if (!(await page.getByText(WORDS).first().isVisible())) found.push(`${name} hides that ${part} is ${status}`);
          found.push(...tooOften(asked, MAX_REQUESTS[status], `${name} without ${part}, ${status}`));
        }
      }
      await page.unroute(DATA);
      await page.goto(url);
      await page.getByText(shows).first().waitFor();
    }
    expect(found).toEqual([]);
  },
  SWEEP_TIMEOUT_MS,
);

verifies(
  "console.live.once",
  "a load asks for each thing once: the stream brings what has changed since",
  async () => {
    const page = await openPage();
    const asked = new Map<string, number>();
    page.on("request", (request) => {
      const url = request.url();
      if (DATA.test(url)) asked.set(url, (asked.get(url) ?? 0) + 1);
    });
    const found: string[] = [];
    for (const { name, url, shows } of swept.screens) {
      await leave(page);
      asked.clear();
      const stream = page.waitForResponse(/\/console\/api\/live/);
      await page.goto(url);
      await page.getByText(shows).filter({ visible: true }).first().waitFor();
      const opened = await stream;
      await page.clock.runFor(REFETCH_MS);
      expect([name, new URL(opened.url()).searchParams.has("since")]).toEqual([name, true]);
      found.push(...tooOften(asked, 1, name));
    }
    expect(found).toEqual([]);
  },
  SWEEP_TIMEOUT_MS,
);

async function openPage(): Promise<Page> {
  const page = await browser.newSeparatePage({ mayFail: ["/console/api/", "/functions/v1/", "/files"] });
  await swept.scene.signIn(page);
  await page.clock.install();
  return page;
}

/** Loads a screen while some requests are refused, until their retries are over. @returns how often each was sent */
async function openRefused(page: Page, url: string, status: number, refused: RegExp): Promise<Map<string, number>> {
  const asked = new Map<string, number>();
  const refuse = async (route: Route) => {
    const request = route.request().url();
    asked.set(request, (asked.get(request) ?? 0) + 1);
    await route.fulfill({
      status,
      headers: { ...(status === 429 && { "Retry-After": "30" }) },
      json: { error: { code: "some_code", message: WORDS } },
    });
  };
  await leave(page);
  await page.route(refused, refuse);
  await page.goto(url);
  await told(page);
  // What would be sent again is sent now.
  await page.clock.runFor(RETRIES_MS);
  await page.unroute(refused, refuse);
  return asked;
}

/** Ends the screen before: until the next one has come, it may still load a part of itself, which asks for its records. */
async function leave(page: Page): Promise<void> {
  await page.goto("about:blank");
}

/** Waits for the message, which comes after the retries. What a screen does not say is found later. */
async function told(page: Page): Promise<void> {
  const message = page.getByText(WORDS).first();
  await page.locator("main, [role=dialog]").first().waitFor();
  for (let tries = 0; tries < 10 && !(await message.isVisible()); tries++) {
    await page.clock.runFor(RETRIES_MS / 4);
    await message.waitFor({ timeout: 300 }).catch(() => undefined);
  }
}

function tooOften(asked: ReadonlyMap<string, number>, max: number, what: string): readonly string[] {
  return [...asked].filter(([, times]) => times > max).map(([url, times]) => `${what}: ${url} ${times} times`);
}
