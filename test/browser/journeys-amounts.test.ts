import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../support/api.ts";
import { saying, startScriptedAgents } from "../support/providers/scripted-agents.ts";
import type { ScriptedAgents } from "../support/providers/scripted-agents.ts";
import { verifies } from "../support/verifies.ts";
import { createTask, taskIn } from "../support/work.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { VIEWS, sweepScreens } from "./sweep-screens.ts";

let scene: Scene;
let cast: ScriptedAgents;
let id: string;
const browser = useBrowser();
beforeAll(async () => {
  cast = await startScriptedAgents();
  scene = await openScene({
    env: { OPENAI_BASE_URL: cast.provider.baseUrl, OPENAI_API_KEY: "sk-test-of-openai" },
  });
  const budget = { scope: "workspace", period: "day", max_usd: 5 };
  await consoleOf(scene.service, scene.service.keys.api).post("/budgets", budget);
  const player = await cast.player(scene.api, saying("Noon."));
  id = (await createTask(scene.api, { title: "What time is it?", assigned_agent_id: player.id })).id;
  await taskIn(scene.api, id, "completed");
});
afterAll(async () => {
  await scene.service.stop();
  await cast.provider.close();
});

verifies(
  ["pages.run-amounts", "pages.accessible"],
  "a model call shows the tokens of each message, and what was reserved, in each view and theme",
  async () => {
    const page = await browser.newPage();
    await scene.signIn(page);
    const url = `${scene.service.url}/w/my-workspace/runs/${id}?step=model:0`;
    const screens = [
      { name: "step-prompt", url: `${url}&tab=prompt`, shows: "Tokens of a message are estimated from its size." },
      { name: "step-details", url: `${url}&tab=details`, shows: "Budgets" },
    ];
    expect(await sweepScreens(page, VIEWS, screens)).toEqual({});
    await page.goto(`${url}&tab=details`);
    await page.getByText(/^reserved [\d,]+ tokens, <?\$[\d.]+; used \d+ tokens, <?\$[\d.]+$/).waitFor();
    await page.goto(`${url}&tab=prompt`);
    await page
      .getByText(/^≈ \d+ tokens?, \d+ B$/)
      .first()
      .waitFor();
  },
);
