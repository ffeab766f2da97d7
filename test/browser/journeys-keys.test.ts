import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../support/api.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, taskInState } from "../support/work.ts";
import { useBrowser } from "./browser.ts";
import { joinAs, openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

const keyList = z.array(z.looseObject({ label: z.string() }));

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

const rowOf = (page: Page, label: string) => page.getByRole("row", { name: label });

async function keyNamed(label: string) {
  const { body } = await consoleOf(scene.service, scene.service.keys.api).get("/keys");
  return keyList.parse(body).find((key) => key.label === label);
}

async function openKey(page: Page, label: string): Promise<Locator> {
  await rowOf(page, label).getByRole("link", { name: label }).click();
  const dialog = page.getByRole("dialog", { name: label });
  await dialog.getByLabel("Label", { exact: true }).waitFor();
  return dialog;
}

verifies(
  "pages.key-limits",
  "a limited key is created, its agents are changed, and a deleted one is named",
  async () => {
    const first = await createAgent(scene.api, { name: "Helpdesk" });
    const second = await createAgent(scene.api, { name: "Archivist" });
    const page = await browser.open(scene, "/settings/keys", { mayFail: ["/api-agents"] });
    await page.getByRole("link", { name: "New key" }).click();
    const dialog = page.getByRole("dialog", { name: "New key" });
    await dialog.getByLabel("Label", { exact: true }).fill("Chat page");
    await dialog.getByText("Limits", { exact: true }).click();
    await dialog.getByText("With no agent or team chosen, the key reaches the whole workspace.").waitFor();
    await dialog.getByLabel("OpenAI-compatible endpoint").check();
    await dialog.getByRole("combobox", { name: "Agents" }).selectOption({ label: "Helpdesk" });
    await dialog.getByRole("button", { name: "Remove Helpdesk" }).waitFor();
    await dialog.getByLabel("Allowed networks").fill("127.0.0.0/8 ::1");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await rowOf(page, "Chat page").getByText("Only OpenAI-compatible endpoint · 1 agent · 2 networks").waitFor();
    const made = { surfaces: ["openai"], agents: [first.id], teams: null, networks: ["127.0.0.0/8", "::1"] };
    expect(await keyNamed("Chat page")).toMatchObject(made);

    const edited = await openKey(page, "Chat page");
    await edited.getByRole("combobox", { name: "Agents" }).selectOption({ label: "Archivist" });
    await edited.getByRole("button", { name: "Remove Archivist" }).waitFor();
    await edited.getByRole("button", { name: "Save key" }).click();
    await rowOf(page, "Chat page").getByText("Only OpenAI-compatible endpoint · 2 agents").waitFor();
    expect(await keyNamed("Chat page")).toMatchObject({ surfaces: ["openai"], agents: [first.id, second.id] });

    expect((await scene.api.delete(`/api-agents?id=${first.id}`)).status).toBe(204);
    await page.reload();
    const again = await openKey(page, "Chat page");
    await again.getByRole("button", { name: "Remove Deleted agent" }).click();
    await again.getByRole("button", { name: "Save key" }).click();
    await rowOf(page, "Chat page").getByText("Only OpenAI-compatible endpoint · 1 agent").waitFor();
    expect(await keyNamed("Chat page")).toMatchObject({ agents: [second.id], teams: null });
  },
);

verifies("pages.service-accounts", "a service account gets a key and another role, and is removed", async () => {
  const page = await browser.open(scene, "/settings/service-accounts", { mayFail: ["/console/api/service-accounts/"] });
  await page.getByText("No service accounts yet").waitFor();
  await page.getByRole("link", { name: "New service account" }).click();
  const dialog = page.getByRole("dialog", { name: "New service account" });
  await dialog.getByLabel("Name", { exact: true }).fill("Deploys");
  await dialog.getByRole("button", { name: "Create account" }).click();
  await rowOf(page, "Deploys").getByText("No key yet").waitFor();

  await page.goto(`${scene.service.url}/w/my-workspace/settings/keys?add=yes`);
  const key = page.getByRole("dialog", { name: "New key" });
  await key.getByLabel("Label", { exact: true }).fill("Build server");
  await key.getByLabel("Belongs to").selectOption({ label: "Deploys" });
  await key.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await rowOf(page, "Build server").getByText("Of Deploys").waitFor();
  expect(await keyNamed("Build server")).toMatchObject({ service_account_id: expect.any(String) });

  await page.goto(`${scene.service.url}/w/my-workspace/settings/service-accounts`);
  await rowOf(page, "Deploys").getByText("1 key").waitFor();
  await rowOf(page, "Deploys").getByRole("link", { name: "Deploys" }).click();
  const opened = page.getByRole("dialog", { name: "Deploys" });
  await opened.getByLabel("Role").selectOption("admin");
  await opened.getByLabel("Allowed networks").fill("203.0.113.0/33");
  await opened.getByRole("button", { name: "Save account" }).click();
  await opened.getByText("must have a prefix of 0 to 32 bits").waitFor();
  await opened.getByLabel("Allowed networks").fill("203.0.113.0/24\n2001:db8::/32");
  await opened.getByRole("button", { name: "Save account" }).click();
  await rowOf(page, "Deploys").getByText("Admin").waitFor();
  await page.getByText("The networks do not include your own address").first().waitFor();

  await rowOf(page, "Deploys").getByRole("link", { name: "Deploys" }).click();
  await opened.getByRole("button", { name: "Remove account" }).click();
  const asked = page.getByRole("dialog", { name: "Remove the service account Deploys?" });
  await asked.getByText("Build server").waitFor();
  await asked.getByRole("button", { name: "Remove account" }).click();
  await page.getByText("No service accounts yet").waitFor();
  expect(await keyNamed("Build server")).toBeUndefined();
});

verifies(
  ["pages.key-limits", "pages.service-accounts"],
  "a viewer sees limits and accounts, and changes none",
  async () => {
    const { id } = await createAgent(scene.api, { name: "Librarian" });
    const limited = { label: "Read along", kind: "a2a", surfaces: ["a2a"], agents: [id] };
    await consoleOf(scene.service, scene.service.keys.api).post("/keys", limited);
    const page = await browser.newPage();
    await joinAs(scene, page, "viewer");
    await page.goto(`${scene.service.url}/w/my-workspace/settings/keys`);
    await rowOf(page, "Read along").getByText("Only A2A · 1 agent").waitFor();
    const dialog = await openKey(page, "Read along");
    await dialog.getByText("Librarian").first().waitFor();
    expect(await dialog.getByLabel("A2A").isChecked()).toBe(true);
    expect(await dialog.getByRole("button", { name: "Remove Librarian" }).isDisabled()).toBe(true);
    expect(await dialog.getByRole("button", { name: "Save key" }).isDisabled()).toBe(true);
    await consoleOf(scene.service, scene.service.keys.api).post("/service-accounts", { name: "Pipeline" });
    await page.goto(`${scene.service.url}/w/my-workspace/settings/service-accounts`);
    await rowOf(page, "Pipeline").getByRole("link", { name: "Pipeline" }).click();
    const account = page.getByRole("dialog", { name: "Pipeline" });
    await account.getByLabel("Name", { exact: true }).waitFor();
    expect(await account.getByRole("button", { name: "Save account" }).isDisabled()).toBe(true);
    expect(await account.getByRole("button", { name: "Remove account" }).isDisabled()).toBe(true);
  },
);

verifies("pages.expiring-keys", "an admin sees on Home and in the list which keys expire soon", async () => {
  const desk = consoleOf(scene.service, scene.service.keys.api);
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  await desk.post("/keys", { label: "Ends tomorrow", kind: "envelope", expires_at });
  const agent = await createAgent(scene.api, { name: "Starter" });
  await taskInState(scene.api, { agentId: agent.id, description: QUICK, status: "completed" });
  const page = await browser.open(scene, "");
  await page.getByText("Keys that expire soon").waitFor();
  await page.getByRole("link", { name: "Ends tomorrow" }).click();
  await rowOf(page, "Ends tomorrow").waitFor();
});
