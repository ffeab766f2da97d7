import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { PHONE, useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies("runs.links.console", "a run is shared by a link, read on a phone, and the link is revoked", async () => {
  const desk = consoleOf(scene.service, scene.service.keys.api);
  const agent = await createAgent(scene.api, { name: "Clock", tools: ["current_time"] });
  const description = callOf("current_time", { time_zone: "UTC" });
  const { id } = await createTask(scene.api, { title: "Tell the time", description, assigned_agent_id: agent.id });
  await taskIn(scene.api, id, "completed");
  const page = await browser.open(scene, `/runs/${id}`, { mayFail: [`/runs/${id}/links`] });
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByRole("checkbox", { name: /^Also the steps/ }).check();
  const create = dialog.getByRole("button", { name: "Create link" });
  await create.click();
  await dialog.getByRole("alert").getByText("Links to runs are off in this workspace.").waitFor();
  expect((await desk.patch("/workspace", { run_links: true })).status).toBe(200);
  await create.click();
  const link = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByText("Result, steps of attempt 1").waitFor();

  const guest = await browser.newPage({ viewport: PHONE, mayFail: ["/auth/run-link"] });
  await guest.goto(link);
  await guest.getByRole("heading", { name: "Tell the time" }).waitFor();
  await guest.getByText("this is the answer to").waitFor();
  await guest.getByText("current_time", { exact: true }).click();
  await guest.getByLabel("Arguments").getByText("UTC").waitFor();
  expect(await guest.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(await guest.getByRole("button", { name: "Run again" }).count()).toBe(0);

  await dialog.getByRole("button", { name: /^Revoke/ }).click();
  await dialog.getByText("Revoked").waitFor();
  await guest.reload();
  await guest.getByRole("heading", { name: "This link can't be used" }).waitFor();
});
