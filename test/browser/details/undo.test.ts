import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { DESKTOP, PHONE, useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

function openAt(path: string): Promise<Page> {
  return browser.open(scene, path);
}

/** Presses Undo in the message with a text. */
async function undo(page: Page, text: string): Promise<void> {
  const message = page.getByRole("listitem").filter({ has: page.getByText(text, { exact: true }) });
  await message.getByRole("button", { name: "Undo" }).click();
}

verifies(
  "console.undo.saved",
  "the message about a saved agent, a restored version or a budget undoes it",
  async () => {
    const { id } = await createAgent(scene.api, { name: "Gardener", system_prompt: "Roses.", tools: [] });
    const page = await openAt(`/agents/${id}`);
    const prompt = page.getByLabel("Prompt", { exact: true });
    await prompt.fill("Tulips.");
    await page.getByRole("button", { name: "Save version" }).click();
    await undo(page, "Saved as version 2.");
    await page.getByText("Save undone, as version 3.", { exact: true }).waitFor();
    await expect.poll(() => prompt.inputValue()).toBe("Roses.");
    // Who changes something again at once reaches the button below the message.
    await prompt.fill("Daisies.");
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      await page.getByRole("button", { name: "Save version" }).click({ trial: true, timeout: 3_000 });
    }
    await prompt.fill("Roses.");
    await page.getByRole("link", { name: "Versions" }).click();
    await page.getByRole("navigation", { name: "Versions" }).getByRole("link", { name: "Version 2" }).click();
    await page.getByRole("button", { name: "Restore version 2" }).click();
    await page.getByRole("button", { name: "Restore version", exact: true }).click();
    await undo(page, "Restored version 2, as version 4.");
    await page.getByText("Restored version 3, as version 5.", { exact: true }).waitFor();
    const text = "select system_prompt, version from agents where id = $1";
    await expect
      .poll(() => sql(scene.service.databaseUrl, text, [id]))
      .toEqual([{ system_prompt: "Roses.", version: 5 }]);

    const desk = consoleOf(scene.service, scene.service.keys.api);
    const budgets = z.array(z.looseObject({ id: z.string(), max_usd: z.number().nullable() }));
    await desk.post("/budgets", { scope: "workspace", period: "day", max_usd: 20 });
    const [budget] = budgets.parse((await desk.get("/budgets")).body);
    await page.goto(`${scene.service.url}/w/my-workspace/usage?budget=${budget?.id}`);
    await page.getByLabel("Limit in USD").fill("2000");
    await page.getByRole("button", { name: "Save budget" }).click();
    await page.getByText("of $2,000").first().waitFor();
    await undo(page, "Budget saved. It applies from the next model call.");
    await page.getByText("of $20").first().waitFor();
    await expect.poll(async () => budgets.parse((await desk.get("/budgets")).body)[0]?.max_usd).toBe(20);
  },
);

verifies(
  "console.undo.discarded",
  "Undo restores discarded changes and a removed filter, also from another screen",
  async () => {
    const agent = await createAgent(scene.api, { name: "Speaker", system_prompt: "Speak.", tools: [] });
    const page = await openAt(`/agents/${agent.id}`);
    await page.getByLabel("Prompt", { exact: true }).fill("Speak softly.");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByText("Unsaved:").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Teams", exact: true }).click();
    await undo(page, "Changes discarded.");
    await page.goto(`${scene.service.url}/w/my-workspace/agents/${agent.id}`);
    await page.getByText("Unsaved: Prompt").waitFor();
    await expect.poll(() => page.getByLabel("Prompt", { exact: true }).inputValue()).toBe("Speak softly.");

    const team = await createTeam(scene.api, { name: "Crew" });
    await page.goto(`${scene.service.url}/w/my-workspace/teams/${team.id}`);
    await page.getByLabel("Description").fill("Writes.");
    await page.getByRole("button", { name: "Discard" }).click();
    await undo(page, "Changes discarded.");
    await page.getByRole("button", { name: "Save team" }).waitFor();
    await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("Writes.");

    await page.goto(`${scene.service.url}/w/my-workspace/runs?status=failed`);
    await page.getByRole("button", { name: "Saved", exact: true }).click();
    await page.getByRole("menuitem", { name: "Save these filters" }).click();
    await page.getByLabel("Name").fill("Broken");
    await page.getByRole("button", { name: "Save filters" }).click();
    await page.getByRole("button", { name: "Saved: Broken" }).click();
    await page.getByRole("menuitem", { name: "Remove “Broken”" }).click();
    await page.getByRole("button", { name: "Saved", exact: true }).waitFor();
    await undo(page, "“Broken” removed.");
    await page.getByRole("button", { name: "Saved: Broken" }).waitFor();
  },
);
