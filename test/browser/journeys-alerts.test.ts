import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../support/api.ts";
import { createRoute, deliveriesOver, startReceiver } from "../support/destinations/deliveries.ts";
import type { Receiver } from "../support/destinations/deliveries.ts";
import { verifies } from "../support/verifies.ts";
import { FAILING, createAgent, createTask, taskIn } from "../support/work.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

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
  ["alerts.console", "alerts.overview"],
  "an alert is made, fires on Home and at its destination, is tested, changed, disabled and deleted",
  async () => {
    const desk = consoleOf(scene.service, scene.service.keys.api);
    const { id: routeId } = await createRoute(desk, `${receiver.url}/alerts`, { name: "On call" });
    const { id: agentId } = await createAgent(scene.api, { name: "Flaky", output_route_ids: [] });
    const { id: task } = await createTask(scene.api, { assigned_agent_id: agentId, description: FAILING });
    await taskIn(scene.api, task, "failed");
    const page = await browser.newPage({ mayFail: ["/console/api/alerts"] });
    await scene.signIn(page);
    await page.goto(`${scene.service.url}/w/my-workspace/alerts`);
    await page.getByRole("heading", { name: "No alerts yet" }).waitFor();
    await page.getByRole("link", { name: "New alert" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New alert" });
    await dialog.getByLabel("Name").fill("Flaky fails");
    await dialog.getByLabel("Threshold in percent").fill("150");
    await dialog.getByLabel("Minimum of runs").fill("1");
    await dialog.getByLabel("Applies to").selectOption({ label: "Flaky" });
    await dialog.getByLabel("Destination").selectOption({ label: "On call" });
    await dialog.getByRole("button", { name: "Save alert" }).click();
    await dialog.getByText("must be at most 100 (percent)").waitFor();
    await dialog.getByLabel("Threshold in percent").fill("50");
    await dialog.getByRole("button", { name: "Save alert" }).click();
    const row = page.getByRole("row", { name: "Flaky fails" });
    await row.getByText("Firing").waitFor();
    await row.getByRole("link", { name: "100 %" }).waitFor();
    await deliveriesOver(desk, routeId);
    expect(receiver.received("/alerts").map(({ event }) => event)).toEqual(["alert.firing"]);

    await page.goto(`${scene.service.url}/w/my-workspace`);
    const section = page.getByRole("region", { name: "Alerts" });
    await section.getByText("100 %").waitFor();
    await section.getByRole("link", { name: "Flaky fails" }).click();
    await page.waitForURL(/\/runs\?status=failed$/);

    await page.goto(`${scene.service.url}/w/my-workspace/alerts`);
    await row.getByRole("button", { name: "Actions for Flaky fails" }).click();
    await page.getByRole("menuitem", { name: "Send a test" }).click();
    await page.waitForURL(/tab=deliveries/);
    await deliveriesOver(desk, routeId, 2);
    expect(receiver.received("/alerts").filter(({ alert }) => alert?.is_test === true)).toHaveLength(1);

    await page.goto(`${scene.service.url}/w/my-workspace/alerts`);
    await row.getByRole("link", { name: "Flaky fails" }).click();
    const edited = page.getByRole("dialog", { name: "Flaky fails" });
    await edited.getByLabel("Minimum of runs").fill("5");
    await edited.getByRole("button", { name: "Save alert" }).click();
    await row.getByText("OK").waitFor();
    await row.getByRole("button", { name: "Actions for Flaky fails" }).click();
    await page.getByRole("menuitem", { name: "Disable" }).click();
    await row.getByText("Disabled").waitFor();
    await row.getByRole("button", { name: "Actions for Flaky fails" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete alert" }).click();
    await page.getByRole("heading", { name: "No alerts yet" }).waitFor();
  },
);
