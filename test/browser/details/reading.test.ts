import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { callOf } from "../../support/interactions.ts";
import { eventually } from "../../support/eventually.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { DESKTOP, PHONE, useBrowser } from "../browser.ts";
import type { PageOptions } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

const DAY_MS = 86_400_000;
const LINES = Array.from({ length: 300 }, (_, n) => `Line ${n + 1} of a long text.`);

/** A sheet of A4 in CSS pixels. */
const PAPER = { width: 794, height: 1123 } as const;
/** Where the output ends, and the document. */
const MEASURE = `[
  Math.floor(document.querySelector("[aria-label=Inspector]").getBoundingClientRect().bottom),
  document.documentElement.scrollHeight,
]`;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

async function openAt(path: string, options?: PageOptions): Promise<Page> {
  const page = await browser.newPage(options);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await scene.signIn(page);
  await page.goto(`${scene.service.url}/w/my-workspace${path}`);
  return page;
}

verifies("console.run.print", "a printed run has all of its output and no controls", async () => {
  const agent = await createAgent(scene.api, { name: "Printer" });
  const description = `[[slow:0]][[say:${LINES.join(" ")}]]`;
  const { id } = await createTask(scene.api, { title: "A long letter", description, assigned_agent_id: agent.id });
  await taskIn(scene.api, id, "completed");
  const page = await openAt(`/runs/${id}`);
  await page
    .getByText(LINES.at(-1) ?? "")
    .first()
    .waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("navigation").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Run again" }).isVisible()).toBe(false);
  // What a page clips is not printed: the document itself is as long as the output.
  // Both of one layout: the page may be laid out again between two questions.
  const [bottom, height] = z.tuple([z.number(), z.number()]).parse(await page.evaluate(MEASURE));
  expect(bottom).toBeGreaterThan(DESKTOP.height);
  expect(height).toBeGreaterThanOrEqual(bottom);
});

verifies("console.run.print", "on paper, which is narrow, the selected step follows the steps", async () => {
  const agent = await createAgent(scene.api, { name: "Typist" });
  const { id } = await createTask(scene.api, { title: "A note", description: QUICK, assigned_agent_id: agent.id });
  await taskIn(scene.api, id, "completed");
  const page = await openAt(`/runs/${id}?view=list&step=model%3A0`, { viewport: PAPER });
  const step = page.getByRole("dialog", { name: "Model call 1" });
  await step.getByText("done").waitFor();
  await page.emulateMedia({ media: "print" });
  await eventually("the selected step is below the steps, as wide as the paper", async () => {
    const [steps, selected] = [await page.locator("[role=treegrid]").boundingBox(), await step.boundingBox()];
    return steps !== null && selected?.width === PAPER.width && selected.y >= steps.y + steps.height;
  });
});

verifies(
  "console.run.question-in-view",
  "the page of a run that asks begins with its question, and Answer leads to its buttons",
  async () => {
    const agent = await createAgent(scene.api, { name: "Support", tools: ["request_approval"] });
    const question = { title: "Refund the lamp?", description: LINES.join("\n\n"), timeoutMs: DAY_MS };
    const { id } = await createTask(scene.api, {
      title: "Handle the return",
      description: callOf("request_approval", question),
      assigned_agent_id: agent.id,
    });
    await taskIn(scene.api, id, "waiting_for_input");
    const page = await browser.newPage();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await scene.signIn(page);
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}`);
    await page.waitForURL(/step=/);
    await page.getByRole("complementary", { name: "Inspector" }).getByRole("button", { name: "Approve" }).waitFor();
    await page.getByText(/^of which waiting \d/).waitFor();
    const heightOf = async (shown: Page) => {
      const box = await shown.getByRole("heading", { name: "Refund the lamp?", level: 2 }).first().boundingBox();
      return box?.y ?? Infinity;
    };
    await expect.poll(() => heightOf(page)).toBeLessThan(DESKTOP.height / 2);
    expect(requested.filter((url) => url.includes("/step?"))).toEqual([]);

    // The tabs are far below a long question; the one that is open does not scroll the page to itself.
    const phone = await openAt(`/runs/${id}`, { viewport: PHONE });
    await phone.getByRole("link", { name: "Timeline" }).waitFor();
    await expect.poll(() => heightOf(phone)).toBeLessThan(PHONE.height);
    expect(await heightOf(phone)).toBeGreaterThan(0);
    await phone.getByRole("button", { name: "Answer" }).tap();
    await phone.locator(":focus").getByText("Approve").waitFor();
    await expect.poll(() => heightOf(phone)).toBeLessThan(0);
  },
);

verifies("console.run.facts", "the head of a run leads to its agent, and its id is copied by a key", async () => {
  const agent = await createAgent(scene.api, { name: "Linked clerk" });
  const { id } = await createTask(scene.api, { title: "Linked", description: QUICK, assigned_agent_id: agent.id });
  const page = await openAt(`/runs/${id}`);
  await page.getByText("First API key").waitFor();
  await page.keyboard.press("Control+.");
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(id);
  await page.getByRole("link", { name: "Linked clerk" }).first().click();
  await page.waitForURL(`**/agents/${agent.id}`);
});

verifies("console.run.version", "a run of an older version of its agent links to what has changed since", async () => {
  const { id: agent } = await createAgent(scene.api, { name: "Reviser", system_prompt: "Be brief." });
  const { id } = await createTask(scene.api, {
    title: "Before the change",
    assigned_agent_id: agent,
    description: QUICK,
  });
  await taskIn(scene.api, id, "completed");
  expect((await scene.api.patch(`/api-agents?id=${agent}`, { system_prompt: "Be thorough." })).status).toBe(200);
  const page = await openAt(`/runs/${id}?step=model:0&tab=details`);
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await inspector.getByRole("link", { name: "now 2" }).click();
  await page.waitForURL(`**/agents/${agent}?tab=versions&version=2&against=1`);
  await page.getByText("thorough").first().waitFor();
});

/** Two megabytes of JSON as the result of a task. */
const LARGE_RESULT = `
  update tasks set result = json_build_object('name', 'Survey', 'rows', (
    select json_agg(json_build_object('n', n, 'text', repeat('x', 180))) from generate_series(1, 10000) n
  ))::text where id = $1`;

verifies(
  "console.run.json",
  "JSON is a tree that opens by keys; of two megabytes, only what is open is drawn",
  async () => {
    const agent = await createAgent(scene.api, { name: "Surveyor" });
    const { id } = await createTask(scene.api, { title: "Survey", description: QUICK, assigned_agent_id: agent.id });
    await taskIn(scene.api, id, "completed");
    await sql(scene.service.databaseUrl, LARGE_RESULT, [id]);
    const page = await openAt(`/runs/${id}?tab=output`);
    const tree = page.getByRole("complementary", { name: "Inspector" }).getByRole("region", { name: "Output" });
    await tree.getByText("10,000 items").waitFor();
    await tree.focus();
    for (const text of ["rows:", "0:"]) {
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await tree.getByText(text, { exact: true }).waitFor();
    }
    await tree.getByText("n:", { exact: true }).waitFor();
    await tree.getByRole("button", { name: "Show more of 10,000" }).click();
    await tree.getByText("199:", { exact: true }).waitFor();
    expect(await page.locator("*").count()).toBeLessThan(3_000);
  },
);

verifies("console.times", "times are shown in UTC for a person who prefers it", async () => {
  const page = await openAt("/settings/keys");
  const zoneOf = () => page.locator("time").first().getAttribute("title");
  await page.locator("time").first().waitFor();
  expect(await zoneOf()).not.toMatch(/UTC$/);
  await page.getByRole("button", { name: "Owner" }).click();
  await page.getByRole("menuitemradio", { name: "UTC" }).click();
  await page.waitForLoadState();
  await page.locator("time[title$=UTC]").first().waitFor();
  await expect.poll(() => page.evaluate("localStorage.getItem('muster.times')")).toBe("utc");
});

verifies("console.drawer-key", "a key is made beside the requests of a screen, and shown once", async () => {
  const page = await openAt("/agents");
  await page.getByRole("link", { name: "New agent" }).waitFor();
  await page.keyboard.press("Alt+a");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Label", { exact: true }).fill("From the drawer");
  await page.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("dialog", { name: "Your new key" });
  await shown.getByText(/^mst_/).first().waitFor();
  await page.keyboard.press("Escape");
  await shown.waitFor({ state: "detached" });
  await page.getByRole("dialog", { name: "This screen by the API" }).waitFor();
  expect(await page.getByText(/mst_\w{20}/).count()).toBe(0);
});

verifies("console.direction", "a text cannot look like another one by turning its direction", async () => {
  const { id } = await createTask(scene.api, { title: "pay \u202egnp.exe" });
  const page = await openAt("/runs?q=pay");
  await page.getByRole("link", { name: "pay gnp.exe" }).click();
  await page.waitForURL(`**/runs/${id}*`);
  await page.getByRole("heading", { name: "pay gnp.exe", level: 1 }).waitFor();

  await createAgent(scene.api, { name: "gpj\u202e", description: "\u202eexe", is_marketplace: true });
  await page.goto(`${scene.service.url}/w/my-workspace/marketplace`);
  await page.getByText("⟦U+202E⟧exe").waitFor();
  await page.getByRole("link", { name: "gpj", exact: true }).click();
  await page.getByRole("dialog", { name: "gpj", exact: true }).getByText("⟦U+202E⟧exe").waitFor();
});

verifies("console.run.delete", "a run is deleted from its page, which leads back to Runs", async () => {
  const agent = await createAgent(scene.api, { name: "Short-lived" });
  const task = await createTask(scene.api, { title: "Not kept", description: QUICK, assigned_agent_id: agent.id });
  const team = await createTeam(scene.api);
  const { id: asks } = await createAgent(scene.api, { tools: ["request_approval"] });
  const waiting = callOf("request_approval", { title: "Sure?" });
  await scene.api.patch(`/api-teams?id=${team.id}`, { config: { steps: [{ agent_id: asks, instructions: waiting }] } });
  const run = await startRun(scene.api, team.id, "Not ended");
  await taskIn(scene.api, task.id, "completed");
  await runIn(scene.api, run.id, "waiting_for_input");
  // The page may hear of the deletion, and read the run once more, before the answer to its own request.
  const page = await openAt("/runs", { mayFail: [task.id, run.id].map((id) => `/console/api/runs/${id}`) });
  for (const { id, title, says } of [
    { ...task, title: "Not kept", says: "Its steps, messages and result" },
    { ...run, title: "Not ended", says: "It has not ended; it is cancelled first." },
  ]) {
    await page.getByRole("link", { name: title }).click();
    await page.waitForURL(`**/runs/${id}*`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete run" }).click();
    await page.getByRole("dialog").getByText(says).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete run" }).click();
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/w/my-workspace/runs");
    await page.getByRole("link", { name: title }).waitFor({ state: "detached" });
  }
  expect((await scene.api.get(`/api-tasks?id=${task.id}`)).status).toBe(404);
  expect((await scene.api.get(`/api-runs?id=${run.id}`)).status).toBe(404);
});
