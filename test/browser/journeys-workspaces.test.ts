import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf } from "../support/api.ts";
import { addText, createBase } from "../support/knowledge.ts";
import { verifies } from "../support/verifies.ts";
import { createTask } from "../support/work.ts";
import { addKey, sql } from "../support/workspace.ts";
import { PHONE, useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

const workspace = z.looseObject({ id: z.string(), slug: z.string() });

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

verifies("live.workspaces", "two workspaces in two tabs stay apart, and a short link finds the right one", async () => {
  const { url } = scene.service;
  const { slug, api: second } = await openWorkspace("Second office");
  await createTask(scene.api, { title: "Work of the first" });
  const there = await createTask(second, { title: "Work of the second" });

  const context = await browser.newContext();
  const [one, two] = [await context.newPage(), await context.newPage()];
  await scene.signIn(one);
  await one.goto(`${url}/w/my-workspace/runs`);
  await two.goto(`${url}/w/${slug}/runs`);
  await one.getByRole("link", { name: "Work of the first" }).waitFor();
  await two.getByRole("link", { name: "Work of the second" }).waitFor();

  await createTask(scene.api, { title: "More of the first" });
  await one.getByRole("button", { name: "1 new" }).click();
  await one.getByRole("link", { name: "More of the first" }).waitFor();
  await createTask(second, { title: "More of the second" });
  await two.getByRole("button", { name: "1 new" }).click();
  await two.getByRole("link", { name: "More of the second" }).waitFor();
  for (const page of [one, two]) await page.reload();
  await one.getByRole("link", { name: "Work of the first" }).waitFor();
  await two.getByRole("link", { name: "Work of the second" }).waitFor();
  expect(await one.getByText("of the second").count()).toBe(0);
  expect(await two.getByText("of the first").count()).toBe(0);

  await one.goto(`${url}/r/${there.id}`);
  await one.getByRole("heading", { name: "Work of the second" }).waitFor();
  await expect.poll(() => new URL(one.url()).pathname).toBe(`/w/${slug}/runs/${there.id}`);
});

verifies("live.workspaces", "going back to another workspace shows nothing of the one before", async () => {
  const { api: other } = await openWorkspace("Fourth office");
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
  const { slug } = await openWorkspace("Field office");
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
  const { slug, key, api } = await openWorkspace("Third office");
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

/** Another workspace of the owner, with a key of its own. */
async function openWorkspace(name: string) {
  const { url, databaseUrl, keys } = scene.service;
  const made = await fetch(`${url}/console/api/workspaces`, {
    method: "POST",
    headers: { "X-API-Key": keys.api, "Content-Type": "application/json" },
    body: JSON.stringify({ name }),
  });
  const { id: workspaceId, slug } = workspace.parse(await made.json());
  const [owner] = await sql<{ user_id: string }>(databaseUrl, "select user_id from members where workspace_id = $1", [
    workspaceId,
  ]);
  const key = await addKey(databaseUrl, { workspaceId, ownerId: owner?.user_id ?? "" });
  return { slug, key, api: apiOf(scene.service, key) };
}
