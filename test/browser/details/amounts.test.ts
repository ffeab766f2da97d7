import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import { saying } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";
import { useBrowser } from "../browser.ts";
import { openScriptedScene } from "../scene.ts";
import type { ScriptedScene } from "../scene.ts";
import { LOOKS, sweepScreens } from "../sweep-screens.ts";

let scene: ScriptedScene;
let id: string;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene();
  const budget = { scope: "workspace", period: "day", max_usd: 5 };
  await consoleOf(scene.service, scene.service.keys.api).post("/budgets", budget);
  const player = await scene.player(saying("Noon."));
  id = (await createTask(scene.api, { title: "What time is it?", assigned_agent_id: player.id })).id;
  await taskIn(scene.api, id, "completed");
});
afterAll(() => scene.stop());

verifies(
  ["pages.run-amounts", "pages.accessible"],
  "a model call shows the tokens of each message, and what was reserved, in each view and theme",
  async () => {
    const page = await browser.newSeparatePage();
    await scene.signIn(page);
    const url = `${scene.service.url}/w/my-workspace/runs/${id}?step=model:0`;
    const screens = [
      { name: "step-prompt", url: `${url}&tab=prompt`, shows: "Tokens of a message are estimated from its size." },
      { name: "step-details", url: `${url}&tab=details`, shows: "Budgets" },
    ];
    expect(await sweepScreens(page, LOOKS, screens)).toEqual({});
    await page.goto(`${url}&tab=details`);
    await page.getByText(/^reserved [\d,]+ tokens, <?\$[\d.]+; used \d+ tokens, <?\$[\d.]+$/).waitFor();
    await page.goto(`${url}&tab=prompt`);
    await page
      .getByText(/^≈ \d+ tokens?, \d+ B$/)
      .first()
      .waitFor();
  },
);

verifies("pages.language", "a browser with a language that Intl does not know shows Home and Usage", async () => {
  const page = await browser.newSeparatePage();
  const language =
    "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix', configurable: true })";
  await page.addInitScript(language);
  await scene.signIn(page);
  for (const path of ["", "/usage"]) {
    await page.goto(`${scene.service.url}/w/my-workspace${path}`);
    await page.getByText("Show as table").first().waitFor();
    await page.locator("figure canvas").first().waitFor();
  }
});
