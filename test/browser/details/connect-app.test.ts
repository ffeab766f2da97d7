import { afterAll, beforeAll, expect } from "vitest";
import { registerApp } from "../../support/mcp/app-client.ts";
import { verifies } from "../../support/verifies.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";
import { LOOKS, SWEEP_TIMEOUT_MS, sweepScreens } from "../sweep-screens.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies(
  "pages.accessible",
  "the page on which a person connects an app is accessible and fits in each window and theme",
  async () => {
    const name = "An app with a long name that its vendor did not think of on a phone";
    const app = await registerApp(scene.service, { client_name: name });
    const page = await browser.newSeparatePage();
    await scene.signIn(page);
    const screen = { name: "connect-app", url: app.authorizeUrl(), shows: "Disconnect it at any time" };
    expect(await sweepScreens(page, LOOKS, [screen])).toEqual({});
  },
  SWEEP_TIMEOUT_MS,
);
