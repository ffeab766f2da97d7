import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK, createAgent, createTask, readTask, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { openScriptedScene } from "../scene.ts";
import type { ScriptedScene } from "../scene.ts";

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene({ MODEL_ATTEMPTS: "1" });
});
afterAll(() => scene.stop());

/** Opens a URL of the workspace, signed in. */
function open(path: string): Promise<Page> {
  return browser.open(scene, path);
}

/** Creates tasks one after another, so that the last one is the newest. */
async function giveTasks(agentId: string, titles: readonly string[], description: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const title of titles) {
    ids.push((await createTask(scene.api, { title, description, assigned_agent_id: agentId })).id);
  }
  return ids;
}

verifies("pages.bulk", "20 runs are cancelled together; two are compared; ended ones run again", async () => {
  const { id: agent } = await createAgent(scene.api, { name: "Sleeper", tools: ["wait"] });
  const titles = Array.from({ length: 20 }, (_, index) => `Sleep number ${index + 1}`);
  const ids = await giveTasks(agent, titles, ENDLESS);
  for (const id of ids) await taskIn(scene.api, id, "running");
  const page = await open(`/runs?agent=${agent}`);
  await page.getByRole("link", { name: "Sleep number 20", exact: true }).waitFor();
  await page.getByRole("checkbox", { name: "Select all loaded runs" }).check();
  const bar = page.getByRole("region", { name: "Selected runs" });
  await bar.getByText("20 runs selected").waitFor();
  await bar.getByRole("button", { name: "Cancel runs" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel 20 runs" }).click();
  await page.getByText("20 runs cancelled", { exact: true }).waitFor();
  for (const id of ids) await taskIn(scene.api, id, "cancelled");
  await page.getByRole("img", { name: "Cancelled" }).nth(9).waitFor();

  for (const title of titles.slice(18)) await page.getByRole("checkbox", { name: `Select ${title}` }).check();
  const compare = bar.getByRole("link", { name: "Compare" });
  await expect.poll(() => compare.getAttribute("href")).toContain(`a=${ids[18]}.1&b=${ids[19]}.1`);
  await bar.getByRole("button", { name: "Run again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run 2 again" }).click();
  await page.getByText("2 runs started again", { exact: true }).waitFor();
  for (const id of ids.slice(18)) {
    await taskIn(scene.api, id, "running");
    await stopTask(scene.api, id);
  }
  await page.goto(`${scene.service.url}/w/my-workspace/runs/${ids[0]}`);
  await page.getByText("Cancelled by").first().waitFor();
});

const PARCELS = `
  insert into tasks (id, workspace_id, title, status, created_at)
  select gen_random_uuid(), w.id, 'Parcel ' || n, 'pending', now() - n * interval '1 minute'
  from (select id from workspaces limit 1) w, generate_series(1, 230) n`;

verifies(
  "pages.bulk-matching",
  "230 runs that match a text are cancelled together; Shift selects rows between",
  async () => {
    await sql(scene.service.databaseUrl, PARCELS);
    const other = await createTask(scene.api, { title: "Not to be touched" });
    const page = await open("/runs?q=parcel");
    const bar = page.getByRole("region", { name: "Selected runs" });
    const box = (title: string) => page.getByRole("checkbox", { name: `Select ${title}`, exact: true });
    await box("Parcel 2").check();
    await box("Parcel 5").click({ modifiers: ["Shift"] });
    await bar.getByText("4 runs selected").waitFor();
    await box("Parcel 3").focus();
    await page.keyboard.press("Shift+Space");
    await bar.getByText("1 run selected").waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("checkbox", { name: "Select all loaded runs" }).check();
    await bar.getByRole("button", { name: "Select all 230 that match" }).click();
    await bar.getByText("230 runs selected").waitFor();
    await bar.getByRole("button", { name: "Cancel runs" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel 230 runs" }).click();
    await page.getByText("230 runs cancelled", { exact: true }).waitFor();
    const cancelled =
      "select count(*)::integer as count from tasks where title like 'Parcel %' and status = 'cancelled'";
    expect(await sql(scene.service.databaseUrl, cancelled)).toEqual([{ count: 230 }]);
    expect((await readTask(scene.api, other.id)).status).toBe("pending");
  },
);

verifies(
  ["pages.saved-filters", "pages.way-back"],
  "filters are saved, shared, found again by Escape, and removed",
  async () => {
    const { id: agent } = await createAgent(scene.api, { name: "Accountant", tags: ["finance"] });
    const [id = ""] = await giveTasks(agent, ["Fail with the books"], FAILING);
    await taskIn(scene.api, id, "failed");
    const page = await open("/runs");
    await page.getByRole("button", { name: "By", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: "Accountant" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Error", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: "MODEL_ERROR" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Tag", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: "finance" }).click();
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => url.searchParams.get("tag") === "finance");
    await page.getByRole("link", { name: "Fail with the books" }).waitFor();
    await page.getByRole("button", { name: "Saved", exact: true }).click();
    await page.getByRole("menuitem", { name: "Save these filters" }).click();
    await page.getByLabel("Name").fill("Broken books");
    await page.getByRole("button", { name: "Save filters" }).click();
    await page.getByRole("button", { name: "Saved: Broken books" }).waitFor();
    const url = page.url();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.waitForURL((url) => url.search === "");
    await page.goBack();
    await expect.poll(() => page.url()).toBe(url);
    await page.reload();
    await page.getByRole("link", { name: "Fail with the books" }).click();
    // The failed step is selected; the page takes the first Escape.
    await page.waitForURL((url) => url.searchParams.has("step"));
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => url.pathname.endsWith(id) && !url.searchParams.has("step"));
    await page.keyboard.press("Escape");
    await expect.poll(() => page.url()).toBe(url);
    await page.getByRole("button", { name: "Saved: Broken books" }).click();
    await page.getByRole("menuitem", { name: "Remove “Broken books”" }).click();
    await page.getByRole("button", { name: "Saved", exact: true }).waitFor();
  },
);

verifies(["pages.search", "pages.palette"], "the palette finds runs, records by their ids, and screens", async () => {
  const { id } = await createTask(scene.api, { title: "Translate the harbour manual" });
  const page = await open("/runs");
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Find by name/).fill("manual harb");
  await page.getByRole("option", { name: "Translate the harbour manual", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname.endsWith(id));

  const { id: agent } = await createAgent(scene.api, { name: "Found by its id" });
  const options = page.getByRole("dialog", { name: "Search and go" }).getByRole("option");
  for (const [text, found] of [
    [agent, "Found by its id, Agents"],
    ["webhooks", "Destinations, Go to"],
    ["audit", "Settings: Audit, Go to"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/Find by name/).fill(text);
    await expect.poll(() => options.allInnerTexts()).toEqual([found.replace(", ", "\n")]);
    await page.keyboard.press("Escape");
    await options.first().waitFor({ state: "detached" });
  }
});

verifies(
  "pages.palette",
  "Enter does what was typed: a verb, a screen's action, a record by its exact name",
  async () => {
    const { id } = await createAgent(scene.api, { name: "Sign" });
    await createTask(scene.api, { title: "Design the sign of the shop" });
    // What is asked while the session ends is answered 401.
    const page = await browser.open(scene, "/usage", { mayFail: ["/console/api/"] });
    await page.getByRole("heading", { name: "Budgets" }).waitFor();
    async function enter(text: string, name: RegExp): Promise<void> {
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder(/Find by name/).fill(text);
      const first = page.getByRole("dialog", { name: "Search and go" }).getByRole("option").first();
      await first.and(page.getByRole("option", { name, selected: true })).waitFor();
      await page.keyboard.press("Enter");
    }
    await enter("sign", /^Sign$/);
    await page.waitForURL((url) => url.pathname.endsWith(`/agents/${id}`));
    await enter("new agent", /^New agent$/);
    await page.waitForURL("**/agents/new");
    await enter("usage", /^Usage/);
    await page.waitForURL("**/usage");
    await enter("pause", /^Pause new work$/);
    await page.getByRole("button", { name: "Resume new work" }).waitFor();
    await enter("resume", /^Resume new work$/);
    await page.getByRole("button", { name: "Pause new work" }).waitFor();
    // Pausing is done from any screen, and said on each.
    await page.goto(`${scene.service.url}/w/my-workspace/agents`);
    await page.getByRole("heading", { name: "Agents", exact: true }).waitFor();
    await enter("pause", /^Pause new work/);
    await page.getByRole("status").getByText("New work is paused").waitFor();
    await enter("resume", /^Resume new work/);
    await expect.poll(() => page.getByRole("status").getByText("New work is paused").count()).toBe(0);
    await enter("sign out", /^Sign out$/);
    await page.waitForURL("**/sign-in**");
  },
);

verifies("pages.palette", "what is typed before the palette is loaded is not lost, and does nothing else", async () => {
  await createAgent(scene.api, { name: "Quick keys" });
  const page = await browser.newSeparatePage();
  await scene.signIn(page);
  await page.goto(`${scene.service.url}/w/my-workspace/agents`);
  await page.getByRole("link", { name: "Quick keys" }).waitFor();
  await page.evaluate("document.activeElement.blur()");
  const arrived: (() => void)[] = [];
  await page.route(/palette/, async (route) => {
    await new Promise<void>((resolve) => arrived.push(resolve));
    await route.continue();
  });
  // As with Caps Lock.
  await page.keyboard.press("Control+K");
  await page.keyboard.type("create");
  expect(arrived).toHaveLength(1);
  arrived[0]?.();
  await expect.poll(() => page.getByPlaceholder(/Find by name/).inputValue()).toBe("create");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Agents", exact: true }).waitFor();
  expect(page.url()).not.toContain("new=");
});

verifies(
  ["pages.run-waits", "pages.run-announced", "pause.queue"],
  "a run says why it waits, and begins when that is over",
  async () => {
    const { id: agent } = await createAgent(scene.api, { name: "Patient worker" });
    const admin = consoleOf(scene.service, scene.service.keys.api);
    const unassigned = await createTask(scene.api, { title: "Whose is it?", description: QUICK });
    await admin.patch("/workspace", { paused: true });
    const page = await open(`/runs/${unassigned.id}`);
    await page.getByRole("heading", { name: "Not assigned" }).waitFor();
    await page.getByLabel("Agent or team").selectOption({ label: "Patient worker" });
    await page.getByRole("button", { name: "Assign" }).click();
    await page.getByText("It starts when an admin resumes new work.").waitFor();
    expect(await taskIn(scene.api, unassigned.id, "dispatched")).toMatchObject({ started_at: null });
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await taskIn(scene.api, unassigned.id, "completed");
    await page.getByText("Completed", { exact: true }).first().waitFor();

    const later = new Date(Date.now() + 3_600_000).toISOString();
    const planned = await createTask(scene.api, {
      title: "Not yet",
      description: QUICK,
      assigned_agent_id: agent,
      scheduled_for: later,
    });
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${planned.id}`);
    await page.getByRole("heading", { name: "Scheduled" }).waitFor();
    await page.getByText(/It starts in 5\d min/).waitFor();
    await page.getByRole("button", { name: "Start now" }).click();
    await taskIn(scene.api, planned.id, "completed");
    await page.getByRole("status").filter({ hasText: "Status: Completed" }).waitFor({ state: "attached" });
  },
);
