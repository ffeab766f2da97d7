import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { addText, createBase } from "../../support/knowledge.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, stopTask, taskIn } from "../../support/work.ts";
import { PHONE, useBrowser } from "../browser.ts";
import { openScene, openWorkspace } from "../scene.ts";
import type { Scene } from "../scene.ts";

const waiting = z.looseObject({ interaction: z.looseObject({ interactionId: z.string() }) });

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies("pages.sign-out", "a person signs out in one tab; the other one keeps what is typed", async () => {
  const { url } = scene.service;
  // A request that is in flight when the session ends is rejected.
  const context = await browser.newContext({ mayFail: ["/console/api/"] });
  const [one, two] = [await context.newPage(), await context.newPage()];
  await scene.signIn(one);
  await one.goto(`${url}/w/my-workspace/runs`);
  await two.goto(`${url}/w/my-workspace/agents/new`);
  await two.getByLabel("Name").fill("Librarian");
  await one.getByRole("button", { name: "Owner" }).click();
  await one.getByRole("menuitem", { name: "Sign out", exact: true }).click();
  await one.waitForURL("**/sign-in");
  await one.getByRole("button", { name: "Sign in" }).waitFor();
  await two.getByRole("dialog", { name: "Your session has ended" }).waitFor();
  expect(await two.getByLabel("Name").inputValue()).toBe("Librarian");
});

verifies(
  ["questions.next", "live.workspaces"],
  "a link leads to the questions of a run elsewhere, one after another, until it is cancelled",
  async () => {
    const { api: other, key } = await openWorkspace(scene, "Fifth office");
    const agent = await createAgent(other, { name: "Clerk", tools: ["request_input"] });
    const asks = ["Your town?", "Your street?", "Your door?"].map((title) => callOf("request_input", { title }));
    const task = await createTask(other, { description: asks.join("\n"), assigned_agent_id: agent.id });
    await taskIn(other, task.id, "waiting_for_input");
    const page = await browser.open(scene, "/runs");
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    await page.goto(`${scene.service.url}/r/${task.id}/answer`);
    await page.getByRole("heading", { name: "Your town?" }).waitFor();
    await page.getByLabel("Your answer").fill("Rome");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "Your street?" }).waitFor();
    await page.getByText(/^Your town\?: Answered by you, \d\d:\d\d$/).waitFor();
    expect(await page.getByLabel("Your answer").inputValue()).toBe("");

    await page.getByLabel("Your answer").fill("Not yet sent");
    const { interactionId } = waiting.parse((await other.get(`/api-tasks?id=${task.id}`)).body).interaction;
    await consoleOf(scene.service, key).post(`/tasks/${task.id}/answer`, { interactionId, text: "Via Roma" });
    await page.getByRole("heading", { name: "Your door?" }).waitFor();
    await page.getByText(/^Your street\?: Answered by you through the API, /).waitFor();
    await stopTask(other, task.id);
    await page.getByRole("heading", { name: "Your street?" }).waitFor();
    await page.getByText("The run is now").getByText("Cancelled").waitFor();
  },
);

verifies("live.workspaces", "going back to another workspace shows nothing of the one before", async () => {
  const { api: other } = await openWorkspace(scene, "Fourth office");
  await createTask(scene.api, { title: "Work that one goes back to" });
  await createTask(other, { title: "Work of the fourth" });
  const page = await browser.open(scene, "/runs");
  await page.getByRole("link", { name: "Work that one goes back to" }).waitFor();
  await page.getByRole("button", { name: "Workspace My workspace" }).click();
  await page.getByRole("menuitemradio", { name: "Fourth office" }).click();
  await page.getByRole("button", { name: "Workspace Fourth office" }).waitFor();
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("link", { name: "Work of the fourth" }).waitFor();

  // What the page shows before its responses arrive is of the cache alone.
  const isHeld = Promise.withResolvers<void>();
  await page.route("**/console/api/runs?*", (route) => isHeld.promise.then(() => route.continue()));
  await page.goBack();
  await page.goBack();
  await page.getByRole("button", { name: "Workspace My workspace" }).waitFor();
  await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
  expect(await page.getByText("Work of the fourth").count()).toBe(0);
  isHeld.resolve();
  await page.getByRole("link", { name: "Work that one goes back to" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/w/my-workspace/runs");
});

verifies("pages.palette-phone", "on a phone, More leads to another workspace and signs out", async () => {
  const { slug } = await openWorkspace(scene, "Field office");
  const page = await browser.open(scene, "/runs", { viewport: PHONE });
  await page.getByRole("button", { name: "More" }).tap();
  await page.getByRole("option", { name: "Switch to Field office" }).tap();
  await page.waitForURL(`**/w/${slug}`);
  await page.getByRole("heading", { name: "Create your first agent and give it a task" }).waitFor();
  await page.getByRole("button", { name: "More" }).tap();
  await page.getByRole("option", { name: "Sign out" }).tap();
  await page.waitForURL("**/sign-in");
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

verifies("console.details.elsewhere", "a record that another workspace has leads there", async () => {
  const { url } = scene.service;
  const { slug, key, api } = await openWorkspace(scene, "Third office");
  const there = await createTask(api, { title: "Work of the third" });
  const desk = consoleOf(scene.service, key);
  const document = await addText(desk, await createBase(desk), { name: "House rules", text: "Shoes off." });
  const page = await browser.newPage({ mayFail: [there.id, document.id] });
  await scene.signIn(page);
  await page.goto(`${url}/w/my-workspace/runs/${there.id}?view=list`);
  await page.getByRole("heading", { name: "Not in this workspace, or deleted" }).waitFor();
  await page.getByRole("link", { name: "Open it in Third office" }).click();
  await page.getByRole("heading", { name: "Work of the third" }).waitFor();
  await expect.poll(() => page.url()).toBe(`${url}/w/${slug}/runs/${there.id}?view=list`);

  await page.goto(`${url}/w/my-workspace/knowledge?document=${document.id}`);
  await page.getByRole("link", { name: "Open it in Third office" }).click();
  await page.getByRole("dialog", { name: "House rules" }).waitFor();
});
