import { afterAll, beforeAll, expect } from "vitest";
import { startScriptedAgents } from "../support/scripted-agents.ts";
import type { ScriptedAgents } from "../support/scripted-agents.ts";
import { verifies } from "../support/verifies.ts";
import { createTask, taskIn } from "../support/work.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

let scene: Scene;
let cast: ScriptedAgents;
const browser = useBrowser();
beforeAll(async () => {
  cast = await startScriptedAgents();
  scene = await openScene({
    env: { OPENAI_BASE_URL: cast.vendor.baseUrl, OPENAI_API_KEY: "sk-test-of-openai", MODEL_ATTEMPTS: "3" },
  });
});
afterAll(async () => {
  await scene.service.stop();
  await cast.vendor.close();
});

verifies(
  "console.run.tries",
  "each try that failed has a hatched bar of its own, before the bar of the one that succeeded",
  async () => {
    const player = await cast.player(scene.api, (call, reply) => {
      if (call.nth <= 2) return reply.refuse(503, "Overloaded.", { "retry-after": "1" });
      reply.say("at last");
      reply.finish();
    });
    const { id } = await createTask(scene.api, { title: "Patience", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "completed");
    const page = await browser.newPage();
    await scene.signIn(page);
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}?view=timeline`);
    const row = page.getByRole("row", { name: "Model call 1" });
    const bars = row.locator("[data-bar]");
    await bars.first().waitFor({ state: "attached" });
    const looks = await Promise.all((await bars.all()).map((bar) => bar.getAttribute("data-bar")));
    expect(looks.filter((look) => look === "retry")).toHaveLength(2);
    expect(looks.filter((look) => look === "wait").length).toBeGreaterThanOrEqual(1);
    expect(looks.at(-1)).toBe("stream");
    await row.click();
    await page.getByRole("link", { name: "Tries" }).click();
    await page.getByText("Failed with 503").nth(1).waitFor();
  },
);
