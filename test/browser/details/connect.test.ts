import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import { startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { openScene, openWorkspace } from "../scene.ts";
import type { Scene } from "../scene.ts";

let scene: Scene;
let receiver: Receiver;
const browser = useBrowser();
beforeAll(async () => {
  receiver = await startReceiver();
  scene = await openScene({ env: { ALLOW_PRIVATE_URLS: "true" } });
});
afterAll(async () => {
  await scene.service.stop();
  await receiver.close();
});

verifies(
  "connect.pages.first-agent",
  "the form of a trigger leads to the first agent while there is none",
  async () => {
    const page = await browser.open(scene, "/triggers?edit=yes");
    await page.getByRole("dialog", { name: "New trigger" }).getByRole("link", { name: "Create the first one" }).click();
    await page.getByRole("button", { name: "Create and run" }).waitFor();
  },
);

verifies("connect.pages.webhooks", "a subscription shows its secret once, and is paused and rotated", async () => {
  const page = await browser.open(scene, "/destinations?tab=webhooks");
  await page.getByRole("link", { name: "New subscription" }).first().click();
  const form = page.getByRole("dialog", { name: "New subscription" });
  await form.getByLabel("URL").fill(`${receiver.url}/hook`);
  await form.getByRole("button", { name: "Subscribe" }).click();
  const shown = page.getByRole("dialog", { name: "Subscribed" });
  const secret = await shown.getByLabel("Secret", { exact: true }).textContent();
  expect(secret).toMatch(/^whsec_/);
  await shown.getByRole("button", { name: "Done" }).click();
  await shown.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain("whsec_");

  const actions = page.getByRole("button", { name: `Actions for ${receiver.url}/hook` });
  await actions.click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await page.getByText("Paused").first().waitFor();
  const stored = () => sql(scene.service.databaseUrl, "select is_active from webhook_subscriptions");
  await expect.poll(stored).toEqual([{ is_active: false }]);
  await actions.click();
  await page.getByRole("menuitem", { name: "New secret" }).click();
  const rotated = page.getByRole("dialog", { name: "New secret" });
  expect(await rotated.getByLabel("Secret", { exact: true }).textContent()).not.toBe(secret);
});

verifies(
  "connect.pages.protocols",
  "a remote agent is connected, tested and disabled; its token is never shown",
  async () => {
    const remote = await startRemoteAgent({ protocol: "1.0", name: "Translator" });
    try {
      const page = await browser.open(scene, "/protocols");
      await page.getByRole("link", { name: "Connect agent" }).first().click();
      const form = page.getByRole("dialog", { name: "Connect a remote agent" });
      await form.getByLabel("Base URL").fill(remote.url);
      await form.getByLabel("Token").fill("a-token-of-mine");
      await form.getByRole("button", { name: "Connect" }).click();
      const sheet = page.getByRole("dialog", { name: "Translator" });
      await sheet.getByText("Everything", { exact: true }).waitFor();
      expect(await page.content()).not.toContain("a-token-of-mine");
      await sheet.getByLabel("Test message").fill("say Bonjour");
      await sheet.getByRole("button", { name: "Send test" }).click();
      await sheet.getByText("Answered").waitFor();
      await expect.poll(() => sheet.getByLabel("Answer", { exact: true }).textContent()).toBe("Bonjour");
      await sheet.getByRole("button", { name: "Turn off" }).click();
      await sheet.getByText("Off", { exact: true }).waitFor();
      await expect
        .poll(() => sql(scene.service.databaseUrl, "select is_enabled from remote_agents"))
        .toEqual([{ is_enabled: false }]);
    } finally {
      await remote.close();
    }
  },
);

verifies("connect.pages.marketplace", "an offer is found by its text and tag, and installed", async () => {
  const fields = {
    name: "Release notes",
    description: "Writes them.",
    is_marketplace: true,
    marketplace_tags: ["writing"],
  };
  await createAgent(apiOf(scene.service, scene.service.keys.api), fields);
  const page = await browser.open(scene, "/marketplace?q=nothing-like-this");
  await page.getByText("Nothing matches").waitFor();
  await page.getByLabel("Name or description").fill("release");
  await page.getByRole("link", { name: "writing" }).click();
  await page.getByRole("button", { name: "Tag: writing" }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("?q=release&tag=writing");
  await page.getByRole("link", { name: "Release notes" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Install" }).click();
  await page.getByText("Release notes was installed as an agent of this workspace.").first().waitFor();
  const copies = "select count(*)::int as count from agents where name like 'Release notes%'";
  await expect.poll(() => sql(scene.service.databaseUrl, copies)).toEqual([{ count: 2 }]);
});

verifies("connect.pages.review", "a copy shows its prompt and tools, and works once a person confirms it", async () => {
  const publisher = await openWorkspace(scene, "Publisher");
  const fields = { name: "Unread", system_prompt: "You read minds.", tools: ["wait"], is_marketplace: true };
  const { id } = await createAgent(publisher.api, fields);
  const admin = consoleOf(scene.service, scene.service.keys.api);
  const { agent_id: copy } = fieldsOf(await admin.post(`/marketplace/${id}/install`, {}));
  const page = await browser.open(scene, `/agents/${String(copy)}?tab=runs`);
  await page.getByText("This copy cannot work yet.").waitFor();
  await page.getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("You read minds.").waitFor();
  await dialog.getByText("wait", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("This copy cannot work yet.").waitFor({ state: "hidden" });
  await expect
    .poll(() => sql(scene.service.databaseUrl, "select needs_review from agents where id = $1", [copy]))
    .toEqual([{ needs_review: false }]);
});
