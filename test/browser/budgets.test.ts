import { afterAll, beforeAll, expect } from "vitest";
import type { Page } from "playwright-core";
import { verifies } from "../support/verifies.ts";
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

/** What a page has fetched so far: compressed bytes by extension, and the requests to the API. */
interface Fetched {
  bytes(extension: string): Promise<number>;
  readonly requests: readonly string[];
}

function watch(page: Page): Fetched {
  const files: { readonly path: string; readonly bytes: Promise<number> }[] = [];
  const requests: string[] = [];
  page.on("requestfinished", (request) => {
    const path = new URL(request.url()).pathname;
    if (request.resourceType() === "fetch") requests.push(path);
    else files.push({ path, bytes: request.sizes().then(({ responseBodySize }) => responseBodySize) });
  });
  return {
    requests,
    async bytes(extension) {
      const sizes = files.filter(({ path }) => path.endsWith(extension)).map(({ bytes }) => bytes);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
  };
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
