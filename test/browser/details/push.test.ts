import { createECDH, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { verifies } from "../../support/verifies.ts";
import { PHONE, useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

/** What a browser gets from its push service. */
function subscriptionOf() {
  const p256dh = createECDH("prime256v1").generateKeys("base64url");
  return { endpoint: "https://push.example.org/x", keys: { p256dh, auth: randomBytes(16).toString("base64url") } };
}

verifies("questions.push.console", "a device is turned on and off in the profile, on a phone", async () => {
  const page = await browser.newSeparatePage({ viewport: PHONE });
  await page.context().grantPermissions(["notifications"]);
  // No browser of tests reaches a push service: its answer is all that is replaced.
  await page.addInitScript(`
    PushManager.prototype.subscribe = async () => ({ toJSON: () => (${JSON.stringify(subscriptionOf())}) });
    Object.defineProperty(Notification, "permission", { get: () => "default" });
    Notification.requestPermission = async () => "granted";
  `);
  await scene.signIn(page);
  await page.goto(`${scene.service.url}/w/my-workspace/settings/profile`);
  const section = page.getByRole("region", { name: "Notifications" });
  await section.getByRole("button", { name: "Notify me on this device" }).click();
  await section.getByText(/^this device, turned on /).waitFor();
  expect(await page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)")).toBe(
    `${scene.service.url}/service-worker.js`,
  );
  await section.getByRole("button", { name: /^Turn off/ }).click();
  await section.getByRole("button", { name: "Notify me on this device" }).waitFor();
});
