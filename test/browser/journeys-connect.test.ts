import { afterAll, beforeAll, expect } from "vitest";
import type { Page } from "playwright-core";
import { apiOf, consoleOf } from "../support/api.ts";
import type { Api } from "../support/api.ts";
import { deliveriesOver, listDeliveries, readDelivery, startReceiver } from "../support/destinations/deliveries.ts";
import type { Receiver } from "../support/destinations/deliveries.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

let scene: Scene;
let receiver: Receiver;
let desk: Api;
const browser = useBrowser();
beforeAll(async () => {
  receiver = await startReceiver();
  scene = await openScene({ env: { ALLOW_PRIVATE_URLS: "true", DELIVERY_TIMEOUT: "2" } });
  desk = consoleOf(scene.service, scene.service.keys.api);
});
afterAll(async () => {
  await scene.service.stop();
  await receiver.close();
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${scene.service.url}/w/my-workspace${path}`);
}

verifies(
  "connect.pages.destinations",
  "a destination is added and tested; what failed there is read attempt by attempt, and delivered again",
  async () => {
    const page = await browser.newPage();
    await scene.signIn(page);
    await open(page, "/destinations");
    await page.getByRole("link", { name: "New route" }).first().click();
    const form = page.getByRole("dialog", { name: "New route" });
    await form.getByLabel("Name").fill("Results");
    await form.getByLabel("URL").fill(`${receiver.url}/results`);
    await form.getByLabel("Secret").fill("the-secret-of-mine");
    await form.getByLabel("Retries").fill("1");
    await form.getByRole("button", { name: "Create route" }).click();
    await page.getByRole("heading", { name: "Results", level: 1 }).waitFor();
    expect(await page.content()).not.toContain("the-secret-of");
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";

    await page.getByRole("button", { name: "Send test" }).click();
    const sheet = page.getByRole("dialog", { name: "Delivery" });
    await sheet.getByText("Delivered, HTTP 200").waitFor();
    expect(receiver.received("/results").map(({ task_title: title }) => title)).toEqual(["Test delivery"]);
    await sheet.getByRole("button", { name: "Close" }).click();

    receiver.answerWith("/results", 500);
    const api = apiOf(scene.service, scene.service.keys.api);
    const { id: agentId } = await createAgent(api, { name: "Writer" });
    for (const title of ["First report", "Second report"]) {
      const task = await createTask(api, { title, description: QUICK, assigned_agent_id: agentId });
      await taskIn(api, task.id, "completed");
    }
    await deliveriesOver(desk, id, 3);
    await open(page, `/destinations/${id}?status=failed`);
    await page.getByRole("link", { name: "Task completed" }).first().click();
    await sheet.getByText("Failed, HTTP 500").first().waitFor();
    for (const words of ["Attempt 1", "Attempt 2", "Task completed"]) await sheet.getByText(words).first().waitFor();
    expect(await sheet.getByLabel("Request", { exact: true }).first().textContent()).toContain("report");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });

    receiver.answerWith("/results", 200);
    await page.getByRole("button", { name: "Redeliver failed" }).click();
    await page.getByRole("button", { name: "Redeliver all" }).click();
    await page.getByText("2 deliveries sent again.").first().waitFor();
    await deliveriesOver(desk, id, 5);
    const again =
      "select count(*)::int as count from deliveries where redelivery_of is not null and status = 'success'";
    expect(await sql(scene.service.databaseUrl, again)).toEqual([{ count: 2 }]);
    await open(page, `/destinations/${id}`);
    await page.getByText("3 of the last 5 delivered, 2 failed").first().waitFor();
    await page.getByRole("link", { name: "Task completed (sent again)" }).first().waitFor();
    expect(
      (await readDelivery(desk, (await listDeliveries(desk, `route_id=${id}&status=failed`))[0]?.id ?? "")).attempts,
    ).toHaveLength(2);
  },
);

verifies("connect.pages.webhooks", "a subscription shows its secret once, and is paused and rotated", async () => {
  const page = await browser.newPage();
  await scene.signIn(page);
  await open(page, "/destinations?tab=webhooks");
  await page.getByRole("link", { name: "New subscription" }).first().click();
  const form = page.getByRole("dialog", { name: "New subscription" });
  await form.getByLabel("Address").fill(`${receiver.url}/hook`);
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
  expect(await stored()).toEqual([{ is_active: false }]);
  await actions.click();
  await page.getByRole("menuitem", { name: "New secret" }).click();
  const rotated = page.getByRole("dialog", { name: "New secret" });
  expect(await rotated.getByLabel("Secret", { exact: true }).textContent()).not.toBe(secret);
});
