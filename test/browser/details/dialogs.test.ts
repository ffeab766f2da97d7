import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { addMember, sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { setHidden } from "../live-scene.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

/** Longer than a hidden tab keeps its stream when notifications are off. */
const LONG_HIDDEN_MS = 20_000;

const record = z.object({ id: z.string() });
const notified = z.array(z.object({ title: z.string(), body: z.string() }));

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

/** A signed-in page at a URL of the workspace. */
function openAt(path: string, mayFail: readonly string[] = []): Promise<Page> {
  return browser.open(scene, path, { mayFail });
}

/** Chooses an item of the menu with further actions and reads the file that it downloads. */
async function exported(page: Page, menu: Locator, item: string): Promise<Buffer> {
  await menu.click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: item }).click(),
  ]);
  return readFile(await download.path());
}

verifies(
  ["console-dialogs.agent-file", "console-dialogs.bad-file"],
  "an agent is exported, deleted and imported again; a bad file is rejected",
  async () => {
    const { id } = await createAgent(scene.api, { name: "Travels by file", system_prompt: "You travel." });
    const page = await openAt(`/agents/${id}`, ["/agents/import", "/api-agents"]);
    const menu = page.getByRole("button", { name: "More actions" });
    const file = await exported(page, menu, "Export");
    await menu.click();
    await page.getByRole("menuitem", { name: "Delete agent" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete “Travels by file”?" });
    await dialog.getByText("Nothing else uses it.").waitFor();
    await dialog.getByRole("button", { name: "Delete agent" }).click();
    await page.waitForURL("**/agents");
    await page.getByRole("link", { name: "Travels by file" }).waitFor({ state: "detached" });
    expect((await scene.api.get(`/api-agents?id=${id}`)).status).toBe(404);

    const input = page.getByLabel("File to import");
    await input.setInputFiles({ name: "bad.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    const rejected = page.getByRole("dialog", { name: "The file was not imported" });
    await rejected.getByRole("button", { name: "Close" }).last().click();
    await rejected.waitFor({ state: "detached" });
    await input.setInputFiles({ name: "agent.json", mimeType: "application/json", buffer: file });
    await page.getByRole("heading", { name: "Travels by file" }).waitFor();
    await expect.poll(() => page.getByLabel("Prompt", { exact: true }).inputValue()).toBe("You travel.");
  },
);

verifies("console-dialogs.team-file", "a team is exported with its agents, and deleted", async () => {
  const agent = await createAgent(scene.api, { name: "Only member" });
  const config = { steps: [{ agent_id: agent.id, step_name: "Draft" }] };
  const team = await scene.api.post("/api-teams", { name: "Moving team", mode: "pipeline", config });
  const { id } = record.parse(team.body);
  const page = await openAt(`/teams/${id}`);
  const menu = page.getByRole("button", { name: "More actions", exact: true });
  const file = await exported(page, menu, "Export with agents");
  await menu.click();
  await page.getByRole("menuitem", { name: "Delete team" }).click();
  const dialog = page.getByRole("dialog", { name: 'Delete the team "Moving team"?' });
  await dialog.getByText("Nothing else uses it.").waitFor();
  await dialog.getByRole("button", { name: "Delete team" }).click();
  await page.waitForURL("**/teams");
  await page.getByRole("link", { name: "Moving team" }).waitFor({ state: "detached" });
  expect(String(file)).toContain("Only member");
  expect((await scene.api.get(`/api-teams?id=${id}`)).status).toBe(404);
});

verifies(
  "console-dialogs.json-typing",
  "JSON is typed key by key; invalid text says why and cannot be saved",
  async () => {
    const speakers = [
      await createAgent(scene.api, { name: "First" }),
      await createAgent(scene.api, { name: "Second" }),
    ];
    const agents = JSON.stringify(speakers.map((agent) => agent.id));
    const team = await scene.api.post("/api-teams", { name: "Typed team", mode: "collaboration" });
    const { id } = record.parse(team.body);
    const page = await openAt(`/teams/${id}?view=json`);
    const text = page.getByLabel("Config as JSON");
    await text.fill("");
    await text.pressSequentially(`{ "agent_ids": ${agents}, "max_turns": 1`);
    await page.getByText(/JSON/).and(page.locator("p[id$=error]")).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Save team" }).isEnabled()).toBe(false);
    await text.pressSequentially("2 }");
    // Nothing is formatted under the caret.
    await expect.poll(() => text.inputValue()).toBe(`{ "agent_ids": ${agents}, "max_turns": 12 }`);
    await page.getByRole("button", { name: "Save team" }).click();
    await page.getByRole("button", { name: "Save team" }).waitFor({ state: "detached" });
    const turns = "select config->'max_turns' as turns from teams where id = $1";
    await expect.poll(() => sql(scene.service.databaseUrl, turns, [id])).toEqual([{ turns: 12 }]);
  },
);

verifies(
  "console-dialogs.banner",
  "the banner of a failed run leads to its step and a fork, whose form survives a reload",
  async () => {
    const agent = await createAgent(scene.api, { name: "Fails", tools: ["current_time"] });
    const description = "[[slow:0]][[tool:current_time {}]]\n[[fail:No such deployment.]]";
    const { id } = await createTask(scene.api, { title: "It fails", description, assigned_agent_id: agent.id });
    await taskIn(scene.api, id, "failed");
    const page = await openAt(`/runs/${id}?step=model:0`);
    await page.getByRole("heading", { name: "Failed at Model call 2" }).waitFor();
    await page.getByRole("button", { name: "Go to step" }).click();
    await page.waitForURL(/step=model%3A1/);
    await page.getByRole("button", { name: "Fork from here" }).click();
    const panel = page.getByRole("dialog", { name: "Fork from model call 2" });
    await panel.getByText("is reused at $0").waitFor();
    const message = panel.getByLabel("Add a message at this point");
    await message.fill("Be brief.");
    await page.reload();
    await expect.poll(() => message.inputValue()).toBe("Be brief.");
    await page.keyboard.press("Escape");
    await expect.poll(() => new URL(page.url()).pathname).toContain(id);
  },
);

verifies("console-dialogs.first-field", "a form in a dialog has the focus on a field", async () => {
  await createAgent(scene.api, { name: "Waits for tasks" });
  const page = await openAt("/runs");
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  await page.keyboard.press("c");
  await page.getByRole("dialog", { name: "New task" }).waitFor();
  await page.locator("[role=dialog] :is(input, select, textarea):focus").waitFor();
});

verifies(
  "console-dialogs.notifications",
  "a hidden tab notifies of a new question, and a click leads to it",
  async () => {
    const page = await browser.newSeparatePage();
    await page.context().grantPermissions(["notifications"], { origin: scene.service.url });
    // The browser of the tests shows no notifications: they are recorded instead.
    await page.addInitScript(`
    window.shown = [];
    window.Notification = class extends EventTarget {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(title, { body }) { super(); this.title = title; this.body = body; window.shown.push(this); }
      close() {}
    };`);
    await page.clock.install();
    await scene.signIn(page);
    await page.goto(`${scene.service.url}/w/my-workspace/runs`);
    await page.getByRole("button", { name: /Owner/ }).click();
    await page.getByRole("menuitem", { name: "Notify me of questions" }).click();
    await page.getByText("Notifications are on.").first().waitFor();
    await setHidden(page, true);
    await page.clock.fastForward(LONG_HIDDEN_MS);
    const agent = await createAgent(scene.api, { name: "Asks", tools: ["request_approval"] });
    const description = callOf("request_approval", { title: "Refund the lamp?" });
    const task = { title: "Handle the return", description, assigned_agent_id: agent.id };
    const { id } = await createTask(scene.api, task);
    await taskIn(scene.api, id, "waiting_for_input");
    await eventually("it is notified", async () => (await page.evaluate("window.shown.length")) === 1);
    const shown = notified.parse(await page.evaluate("window.shown.map(({ title, body }) => ({ title, body }))"));
    expect(shown).toEqual([{ title: "Refund the lamp?", body: "Handle the return" }]);
    await page.evaluate("window.shown[0].dispatchEvent(new Event('click'))");
    await setHidden(page, false);
    await page.waitForURL(/\/questions\?id=/);
    await page.getByRole("heading", { name: "Refund the lamp?" }).waitFor();
  },
);

verifies("console-dialogs.member-keys", "who removes a member sees the keys that end with them", async () => {
  const { databaseUrl } = scene.service;
  const [own] = await sql<{ id: string }>(databaseUrl, "select id from workspaces where slug = 'my-workspace'");
  const { userId } = await addMember(databaseUrl, own?.id ?? "", "member");
  const page = await openAt("/settings/members");
  const row = page.getByRole("row").filter({ hasText: userId });
  await row.getByRole("button", { name: /^Remove/ }).click();
  const dialog = page.getByRole("dialog", { name: "Remove member?" });
  await dialog.getByText("This key ends with it:").waitFor();
  expect(await dialog.getByRole("listitem").textContent()).toMatch(/^Test key envelope mst_\w+…$/);
  await dialog.getByRole("button", { name: "Remove member" }).click();
  await expect.poll(() => row.count()).toBe(0);
});
