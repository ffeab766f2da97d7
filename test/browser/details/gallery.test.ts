import { afterAll, beforeAll, expect } from "vitest";
import { verifies } from "../../support/verifies.ts";
import { PHONE, useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies("gallery.console", "an agent's template fills in the form, and its example waits in Try", async () => {
  const page = await browser.open(scene, "/agents/new");
  await page.getByLabel("Name", { exact: true }).fill("Typed before");
  await page.getByRole("link", { name: "Templates" }).click();
  const gallery = page.getByRole("dialog");
  await expect.poll(() => gallery.getByRole("listitem").count()).toBeGreaterThanOrEqual(12);
  await gallery.getByRole("button", { name: /^Support writer/ }).click();
  await gallery.getByText("knowledge_search, request_approval").waitFor();
  await gallery.getByRole("button", { name: "All templates" }).click();
  await gallery.getByRole("button", { name: /^Meeting planner/ }).click();
  await gallery.getByText("You plan meetings.").waitFor();
  await page.reload();
  await gallery.getByRole("button", { name: "Use this template" }).click();
  await gallery.waitFor({ state: "detached" });
  const name = page.getByLabel("Name", { exact: true });
  await expect.poll(() => name.inputValue()).toBe("Meeting planner");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => name.inputValue()).toBe("Typed before");
  await page.getByRole("link", { name: "Templates" }).click();
  await gallery.getByRole("button", { name: /^Meeting planner/ }).click();
  await gallery.getByRole("button", { name: "Use this template" }).click();
  await expect.poll(() => name.inputValue()).toBe("Meeting planner");
  // A reload loses neither the form nor its template, which is read while the agent is created.
  const isClicked = Promise.withResolvers<undefined>();
  await page.route("**/console/api/templates*", async (route) => {
    await isClicked.promise;
    await route.continue();
  });
  await page.reload();
  await expect.poll(() => name.inputValue()).toBe("Meeting planner");
  await page.getByRole("button", { name: "Create agent" }).click();
  isClicked.resolve(undefined);
  const composer = page.getByRole("textbox", { name: "Message" });
  await expect.poll(() => composer.inputValue()).toContain("[[tool:request_choice");
});

verifies(
  "gallery.console",
  "a team's template creates it on a phone, and its example waits in its first run",
  async () => {
    const page = await browser.open(scene, "/teams?add=team", { viewport: PHONE });
    await page.getByRole("button", { name: "Start from a template" }).click();
    const gallery = page.getByRole("dialog");
    await gallery.getByRole("button", { name: /^Research desk/ }).click();
    await gallery.getByLabel("Name").fill("Energy desk");
    await gallery.getByRole("button", { name: "Use this template" }).click();
    await page.getByRole("heading", { name: "Energy desk", level: 1 }).waitFor();
    await page.goto(`${page.url()}?run=new`);
    const input = page.getByRole("dialog").getByLabel("Input");
    await expect.poll(() => input.inputValue()).toContain("delegate_to_worker");
    await page.getByRole("button", { name: "Run team" }).click();
    await page.getByText("Completed").first().waitFor();
  },
);
