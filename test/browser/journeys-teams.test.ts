import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { verifies } from "../support/verifies.ts";
import { createAgent } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

const configs = z.array(
  z.object({
    config: z.object({
      steps: z.array(z.looseObject({ step_name: z.string(), parallel_agents: z.array(z.string()).optional() })),
    }),
  }),
);

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
  for (const name of ["Writer", "Fact checker", "Style checker"]) await createAgent(scene.api, { name, tools: [] });
});
afterAll(() => scene.service.stop());

verifies(
  "team-screens.journey.pipeline",
  "a pipeline with a fan-out is built, reordered with the keyboard, saved and run",
  async () => {
    const page = await browser.open(scene, "/teams?add=team", { mayFail: ["/api-teams"] });
    await page.getByLabel("Name", { exact: true }).fill("Newsroom");
    await page.getByRole("button", { name: "Create team" }).click();
    await page.getByRole("heading", { name: "Newsroom", level: 1 }).waitFor();
    await page.getByText("Draft, cannot run").waitFor();

    await addStep(page, "Add step", "Publish");
    await addStep(page, "Add step", "Draft");
    await page.getByLabel("Agent", { exact: true }).selectOption({ label: "Writer" });
    await addStep(page, "Add fan-out", "Review");
    for (const label of ["Fact checker", "Style checker"]) {
      await page.getByRole("combobox", { name: "Branches" }).selectOption({ label });
    }
    await page.getByLabel("Merge", { exact: true }).selectOption({ label: "Writer" });

    await page.getByRole("button", { name: "Move Publish", exact: true }).focus();
    await page.keyboard.press("ArrowDown");
    await page.getByText("Step 1 is now step 2 of 3").waitFor({ state: "attached" });
    await page.keyboard.press("ArrowDown");
    await page.getByText("Step 2 is now step 3 of 3").waitFor({ state: "attached" });
    await expect.poll(() => page.locator(":focus").getAttribute("aria-label")).toBe("Move Publish");

    // What is not saved survives a reload; what the server rejects is said at the field.
    await page.reload();
    await page.getByText("Not saved").waitFor();
    await page.getByRole("button", { name: "Save team" }).click();
    await page.getByRole("alert").getByText("a step needs an agent").waitFor();
    await page.getByRole("button", { name: /^3 Publish/, expanded: false }).click();
    const agent = page.getByLabel("Agent", { exact: true });
    await page.getByRole("list").getByText("a step needs an agent").waitFor();
    await agent.selectOption({ label: "Writer" });
    await page.getByRole("button", { name: "Save team" }).click();
    await page.getByRole("button", { name: "Save team" }).waitFor({ state: "detached" });
    const [{ config } = { config: { steps: [] } }] = configs.parse(
      await sql(scene.service.databaseUrl, "select config from teams"),
    );
    expect(config.steps.map(({ step_name: name, parallel_agents: agents = [] }) => [name, agents.length])).toEqual([
      ["Draft", 0],
      ["Review", 2],
      ["Publish", 0],
    ]);
    for (const box of ["Draft Writer", "Review in parallel", "Merge Writer", "Publish Writer"]) {
      await page.getByRole("figure").getByRole("button", { name: box }).waitFor();
    }

    await page.getByRole("link", { name: "Run team" }).click();
    await page.getByLabel("Input").fill("[[slow:0]][[say:The newsletter is done.]]");
    await page.reload();
    await page.getByRole("dialog").getByRole("button", { name: "Run team" }).click();
    await page.waitForURL("**/runs/*");
    await page.getByText("Completed", { exact: true }).first().waitFor();
    await expect
      .poll(() => sql(scene.service.databaseUrl, "select status from team_runs"))
      .toEqual([{ status: "completed" }]);
  },
);

async function addStep(page: Page, button: string, name: string): Promise<void> {
  const steps = page.getByRole("region", { name: "Steps" });
  await steps.getByRole("button", { name: button }).click();
  await steps.getByLabel("Name", { exact: true }).fill(name);
}
