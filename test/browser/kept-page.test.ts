import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { openKeptPage } from "./kept-page.ts";

const URL = "http://127.0.0.1:9/";
const browser = useBrowser();

test("a page that is kept shows nothing of the test before, and refuses what would stay", async () => {
  const { page, clear } = await openKeptPage(await browser.newContext(), false);
  const visit = async (body: string) => {
    await page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto(URL);
    return page.evaluate(`({
      shown: document.body.textContent,
      stored: [localStorage.length, sessionStorage.length, document.cookie],
      visited: history.length,
      isOnline: navigator.onLine,
    })`);
  };
  const empty = { stored: [0, 0, ""], visited: 2, isOnline: true };
  expect(await visit("one")).toEqual({ shown: "one", ...empty });
  await page.evaluate("localStorage.a = sessionStorage.b = document.cookie = 'c=d', history.pushState({}, '', '?e')");
  await page.context().setOffline(true);
  const other = await page.context().newPage();
  await clear();
  expect(other.isClosed()).toBe(true);
  expect(await visit("two")).toEqual({ shown: "two", ...empty });
  expect(() => page.addInitScript("1")).toThrow("newSeparatePage");
  expect(() => page.clock.install()).toThrow("newSeparatePage");
});
