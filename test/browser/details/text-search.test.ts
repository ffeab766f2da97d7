import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { PHONE, useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene({ env: { ALLOW_PRIVATE_URLS: "true" } });
});
afterAll(() => scene.service.stop());

verifies("pages.text-search", "each of seven lists is narrowed by a text, which the URL holds", async () => {
  const desk = consoleOf(scene.service, scene.service.keys.api);
  const { id: agent } = await createAgent(scene.api, { name: "Clerk" });
  const plan = { title: "Report", assigned_agent_id: agent };
  const tool = { description: "Finds it.", url: "https://localhost/x", method: "GET" };
  const route = { type: "http", config: { url: "https://localhost/in" } };
  for (const name of ["zebra", "lion"]) {
    const url = `https://localhost/${name}`;
    for (const [path, body] of [
      ["/schedules", { ...plan, name, cron: "0 9 * * *" }],
      ["/triggers", { ...plan, name }],
      ["/routes", { ...route, name }],
      ["/hooks", { target_url: url, event: "task_failed" }],
      ["/tools", { ...tool, name }],
      ["/keys", { label: name, kind: "envelope" }],
    ] as const) {
      expect((await desk.post(path, body)).status, path).toBe(201);
    }
  }
  const page = await browser.newPage();
  await scene.signIn(page);
  const shown = async (text: string) => (await page.getByRole("cell", { name: text }).count()) > 0;
  for (const path of [
    "/schedules",
    "/triggers",
    "/destinations",
    "/destinations?tab=webhooks",
    "/tools",
    "/settings/keys",
  ]) {
    await page.goto(`${scene.service.url}/w/my-workspace${path}`);
    await page.getByRole("cell", { name: "zebra" }).first().waitFor();
    expect(await shown("lion"), path).toBe(true);
    await page.getByRole("searchbox").fill("ZEBRA");
    await page.waitForURL(/[?&]q=ZEBRA/);
    await expect.poll(() => shown("lion"), { message: path }).toBe(false);
    expect(await shown("zebra"), path).toBe(true);
    await page.getByRole("searchbox").fill("giraffe");
    await page
      .getByText(/^No .* matche?s?/)
      .first()
      .waitFor();
  }
  await page.goto(`${scene.service.url}/w/my-workspace/settings/members?q=nobody`);
  await page.getByRole("heading", { name: "No member matches" }).waitFor();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await page.getByRole("table").first().waitFor();
});

verifies("pages.tab-title", "the title of the browser's tab names the open tab", async () => {
  const { id } = await createAgent(scene.api, { name: "Titled" });
  const page = await browser.open(scene, `/agents/${id}?tab=versions`);
  await expect.poll(() => page.title()).toBe("Versions · Titled · Muster");
  await page.getByRole("link", { name: "Prompt", exact: true }).click();
  await expect.poll(() => page.title()).toBe("Prompt · Titled · Muster");
  for (const [path, title] of [
    ["/destinations?tab=deliveries", "Deliveries · Destinations · Muster"],
    ["/settings/keys", "API keys · Settings · Muster"],
    ["/schedules", "Schedules · Muster"],
  ] as const) {
    await page.goto(`${scene.service.url}/w/my-workspace${path}`);
    await expect.poll(() => page.title()).toBe(title);
  }
});

verifies("pages.last-assignee", "a new task begins with the last agent, until that is deleted", async () => {
  const { id } = await createAgent(scene.api, { name: "Favourite", model: "demo" });
  const page = await browser.open(scene, "/runs?new=task", { mayFail: ["/api-agents", "/estimate"] });
  const dialog = page.getByRole("dialog", { name: "New task" });
  const assignee = dialog.getByLabel("Agent or team");
  await assignee.selectOption({ label: "Favourite" });
  await dialog.getByLabel("Title").fill("First");
  await dialog.getByRole("button", { name: "Give task" }).click();
  await page.waitForURL(/runs\/[0-9a-f-]{36}/);
  await page.goto(`${scene.service.url}/w/my-workspace/usage?new=task`);
  await expect.poll(() => assignee.inputValue()).toBe(`agent:${id}`);
  expect((await scene.api.delete(`/api-agents?id=${id}`)).status).toBe(204);
  await page.reload();
  await expect.poll(() => assignee.inputValue()).toBe("");
});

verifies("pages.person-phone", "on a phone, the person's menu is in the bar at the bottom", async () => {
  const page = await browser.open(scene, "/runs", { viewport: PHONE });
  await page.getByRole("button", { name: "You" }).tap();
  await page.getByRole("menuitemradio", { name: "Dark" }).tap();
  await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  if ((await page.getByRole("menu").count()) === 0) await page.getByRole("button", { name: "You" }).tap();
  await page.getByRole("menuitem", { name: "Profile and sessions" }).tap();
  await page.waitForURL("**/settings/profile");
  await expect.poll(() => page.title()).toBe("Profile · Settings · Muster");
});
