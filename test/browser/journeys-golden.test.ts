import { afterAll, beforeAll, expect } from "vitest";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { openRun, useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies(
  "golden.console",
  "a run is kept; the agent's tab tries a version, shows results, publishes it, and sets the gate",
  async () => {
    const { id: agentId } = await createAgent(scene.api, { name: "Usher" });
    const { id } = await createTask(scene.api, { title: "Greet", assigned_agent_id: agentId, description: QUICK });
    await taskIn(scene.api, id, "completed");
    await scene.api.patch(`/api-agents?id=${agentId}`, { temperature: 0.2 });
    const page = await openRun(browser, scene, id);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Keep as golden" }).click();
    await page.getByText("Kept “Greet” as a golden case of its agent.").first().waitFor();

    await page.goto(`${scene.service.url}/w/my-workspace/agents/${agentId}?tab=golden`);
    await page.getByLabel("Version to try").selectOption("1");
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("Version 1 on demo: 1 of 1 cases passed").waitFor();
    await page.getByRole("table", { name: "Results" }).getByText("Passed").waitFor();
    await page.getByLabel("A change of the agent must pass").selectOption("all");
    await page.getByText("has passed 0 of 1").waitFor();
    await page.getByRole("button", { name: "Publish version 1" }).click();
    await page.getByText("Published version 1, as version 3.").first().waitFor();
    const stored = await sql(scene.service.databaseUrl, "select required from golden_gates where agent_id = $1", [
      agentId,
    ]);
    expect(stored).toEqual([{ required: "all" }]);
  },
);
