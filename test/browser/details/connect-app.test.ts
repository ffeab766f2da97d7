import { afterAll, beforeAll, expect } from "vitest";
import { registerApp } from "../../support/mcp/app-client.ts";
import { createAgent } from "../../support/work.ts";
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
    for (const agent of ["Front desk", "An agent whose name is much longer than the page on a phone is wide"]) {
      await createAgent(scene.api, { name: agent, is_mcp_published: true });
    }
    const app = await registerApp(scene.service, { client_name: name });
    const page = await browser.newSeparatePage();
    await scene.signIn(page);
    const screen = { name: "connect-app", url: app.authorizeUrl(), shows: "Disconnect it at any time" };
    expect(await sweepScreens(page, LOOKS, [screen])).toEqual({});
  },
  SWEEP_TIMEOUT_MS,
);
