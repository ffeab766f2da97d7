import { afterAll, beforeAll, expect } from "vitest";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { PHONE, useBrowser } from "../browser/browser.ts";

let service: TestService;
const browser = useBrowser();
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

verifies("operations.reference-page", "the API reference can be read on a phone", async () => {
  const page = await browser.newPage({ viewport: PHONE });
  await page.goto(`${service.url}/docs`);
  const description = page.getByText("Saved voice profiles and output templates that agents share.");
  const { width = 0 } = (await description.boundingBox()) ?? {};
  expect(width).toBeGreaterThan(PHONE.width / 2);
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
});

verifies("operations.reference-page", "the dialog of keys starts with the key of most requests", async () => {
  const page = await browser.newPage();
  await page.goto(`${service.url}/docs`);
  await page.getByRole("button", { name: "Authorize", exact: true }).click();
  await page.locator(".auth-container:has(input:focus)").filter({ hasText: "apiKey (apiKey)" }).waitFor();
});
