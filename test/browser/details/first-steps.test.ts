import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask } from "../../support/work.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies(
  "gallery.first-steps.console",
  "Home lists five first steps until they are taken or hidden, and then asks no more for them",
  async () => {
    const page = await browser.open(scene, "");
    const list = page.getByRole("region", { name: "First steps" });
    // Before the first run, below the form for it.
    await list.getByText("0 of 5 done").waitFor();
    const { id } = await createAgent(scene.api);
    await createTask(scene.api, { assigned_agent_id: id, description: QUICK });
    await page.reload();
    await list.getByText("2 of 5 done").waitFor();
    for (const [label, path] of [
      ["Connect a model", "/settings/models"],
      ["Connect a destination", "/destinations"],
      ["Invite a person", "/settings/members"],
    ] as const) {
      await list.getByRole("link", { name: label }).click();
      await page.waitForURL(`**${path}`);
      await page.goBack();
    }
    await expect.poll(() => list.getByRole("link").count()).toBe(3);
    await list.getByRole("button", { name: "Hide" }).click();
    await list.waitFor({ state: "detached" });
    let asked = 0;
    page.on("request", (request) => (asked += request.url().includes("/first-steps") ? 1 : 0));
    await page.reload();
    await page.getByText("Last 14 days").waitFor();
    expect([await list.count(), asked]).toEqual([0, 0]);

    // Complete for everybody, it is not there for a person who has not hidden it.
    await page.evaluate("localStorage.clear()");
    await page.reload();
    await list.getByText("2 of 5 done").waitFor();
    const api = consoleOf(scene.service, scene.service.keys.api);
    await api.call("PUT", "/provider-keys/anthropic", { body: { api_key: "sk-ant-test" } });
    await api.post("/routes", { name: "Results", type: "http", config: { url: "https://example.org/results" } });
    await api.post("/invitations", { email: "grace@example.org", role: "member" });
    await page.reload();
    await page.getByText("Last 14 days").waitFor();
    await list.waitFor({ state: "detached" });
  },
);
