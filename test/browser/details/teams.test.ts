import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { joinAs, openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";
import { openScreen } from "../sweep-screens.ts";

const record = z.looseObject({ id: z.string() });

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
  for (const name of ["Writer", "Fact checker", "Style checker"]) await createAgent(scene.api, { name, tools: [] });
});
afterAll(() => scene.service.stop());

verifies(
  ["team-screens.editor.json", "team-screens.editor.concurrent"],
  "the config as JSON matches the controls and the graph, and can be discarded",
  async () => {
    const { id } = record.parse((await scene.api.post("/api-teams", { name: "Council", mode: "collaboration" })).body);
    const page = await browser.open(scene, `/teams/${id}`, { mayFail: ["/functions/v1/api-teams?id="] });
    await page.getByLabel("Maximum turns").fill("4");
    await page.getByText("Discussion, up to 4 turns").waitFor();
    await page.getByRole("link", { name: "Show as JSON" }).click();
    const json = async () => JSON.parse(await page.getByLabel("Config as JSON").inputValue());
    await expect.poll(json).toEqual({ agent_ids: [], max_turns: 4 });
    // A text that is not JSON keeps the graph from being edited, and is gone when it is discarded.
    await page.getByLabel("Config as JSON").fill("{");
    await page.getByRole("figure").getByRole("button").first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Add speaker" }).waitFor();
    await expect.poll(json).toEqual({ agent_ids: [] });
    await page.getByRole("button", { name: "Undo edit" }).click();
    await page.getByText("Discussion, up to 4 turns").waitFor();
    await page.getByRole("link", { name: "Show controls" }).click();
    await expect.poll(() => page.getByLabel("Maximum turns").inputValue()).toBe("4");
    for (const label of ["Writer", "Fact checker"]) {
      await page.getByRole("combobox", { name: "Speakers" }).selectOption({ label });
    }
    await page.getByRole("button", { name: "Save team" }).click();
    await page.getByRole("button", { name: "Save team" }).waitFor({ state: "detached" });
    await page.getByText("Draft, cannot run").waitFor({ state: "detached" });
    await page.getByLabel("Maximum turns").fill("0");
    await page.getByRole("button", { name: "Save team" }).click();
    // What the server rejects gets the focus.
    await page.locator("input:focus[aria-invalid=true]").waitFor();
    // What another person has saved in the meantime is not replaced unseen.
    await scene.api.patch(`/api-teams?id=${id}`, { description: "By another person" });
    await page.getByLabel("Maximum turns").fill("7");
    await page.getByRole("button", { name: "Save team" }).click();
    await page.getByRole("alert").getByText("The team was changed since you began.").waitFor();
    await page.getByRole("button", { name: "Discard mine" }).click();
    await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("By another person");
    await page.getByText("Discussion, up to 4 turns").waitFor();
    await expect
      .poll(() => sql(scene.service.databaseUrl, "select config->'max_turns' as turns from teams where id = $1", [id]))
      .toEqual([{ turns: 4 }]);
  },
);

verifies(
  "team-screens.viewer",
  "a viewer sees teams, knowledge and files, and why nothing can be changed",
  async () => {
    const agent = await createAgent(scene.api, { name: "Solo", tools: [] });
    const config = { steps: [{ agent_id: agent.id, step_name: "Only" }] };
    const { id } = record.parse((await scene.api.post("/api-teams", { name: "Fixed", mode: "pipeline", config })).body);
    const page = await browser.newPage();
    await joinAs(scene, page, "viewer");
    for (const [path, name] of [
      ["/teams", "New team"],
      [`/teams/${id}`, "Run team"],
      ["/knowledge", "New knowledge base"],
      ["/files", "Upload files"],
    ] as const) {
      await openScreen(page, `${scene.service.url}/w/my-workspace${path}`);
      const button = page.getByRole("button", { name }).first();
      await expect
        .poll(async () => [name, await button.isDisabled(), await button.getAttribute("title")])
        .toEqual([name, true, "Needs the role member; yours is viewer."]);
    }
    await openScreen(page, `${scene.service.url}/w/my-workspace/teams/${id}`);
    await page.getByText("Needs the role member; yours is viewer.").waitFor();
    await expect.poll(() => page.getByLabel("Name", { exact: true }).first().isEditable()).toBe(false);
    expect(await page.getByRole("button", { name: "Add step" }).count()).toBe(0);
    await page.getByRole("figure").getByText("Solo").waitFor();
    expect(await page.getByRole("figure").getByRole("button").count()).toBe(0);
  },
);
