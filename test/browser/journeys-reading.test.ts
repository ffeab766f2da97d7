import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { callOf } from "../support/interactions.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../support/work.ts";
import { DESKTOP, useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

const DAY_MS = 86_400_000;
const LINES = Array.from({ length: 300 }, (_, n) => `Line ${n + 1} of a long text.`);

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

async function openAt(path: string): Promise<Page> {
  const page = await browser.newPage();
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
  const last = page.getByText(LINES.at(-1) ?? "").first();
  await last.waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("navigation").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Run again" }).isVisible()).toBe(false);
  // What a page clips is not printed: the document itself is as long as the output.
  const bottom = z.number().parse(await last.evaluate("(line) => line.getBoundingClientRect().bottom"));
  const height = z.number().parse(await page.evaluate("document.documentElement.scrollHeight"));
  expect(bottom).toBeGreaterThan(DESKTOP.height);
  expect(height).toBeGreaterThanOrEqual(bottom);
});

verifies(
  "console.run.question-in-view",
  "the page of a run that asks begins with its question, however long that is, and requests no step for it",
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
    await page.getByText("Not answered yet").waitFor();
    const box = await page.getByRole("heading", { name: "Refund the lamp?", level: 2 }).first().boundingBox();
    expect(box?.y ?? Infinity).toBeLessThan(DESKTOP.height / 2);
    expect(requested.filter((url) => url.includes("/step?"))).toEqual([]);
  },
);

verifies("console.run.facts", "the head of a run leads to its agent, and its id is copied by a key", async () => {
  const agent = await createAgent(scene.api, { name: "Linked clerk" });
  const { id } = await createTask(scene.api, { title: "Linked", description: QUICK, assigned_agent_id: agent.id });
  const page = await openAt(`/runs/${id}`);
  await page.getByText("First API key").waitFor();
  await page.keyboard.press("Control+.");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(id);
  await page.getByRole("link", { name: "Linked clerk" }).first().click();
  await page.waitForURL(`**/agents/${agent.id}`);
});

verifies("console.times", "times are shown in UTC for a person who prefers it", async () => {
  const page = await openAt("/settings/keys");
  const zoneOf = () => page.locator("time").first().getAttribute("title");
  await page.locator("time").first().waitFor();
  expect(await zoneOf()).not.toMatch(/UTC$/);
  await page.getByRole("button", { name: "Owner" }).click();
  await page.getByRole("menuitemradio", { name: "UTC" }).click();
  await page.waitForLoadState();
  await page.locator("time[title$=UTC]").first().waitFor();
  expect(await page.evaluate("localStorage.getItem('muster.times')")).toBe("utc");
});

verifies("console.pickers.run", "two runs are found by their titles and compared", async () => {
  const agent = await createAgent(scene.api, { name: "Comparer" });
  for (const title of ["Harbour report of May", "Harbour report of June"]) {
    const { id } = await createTask(scene.api, { title, description: QUICK, assigned_agent_id: agent.id });
    await taskIn(scene.api, id, "completed");
  }
  const page = await openAt("/runs/compare");
  for (const [label, text] of [
    ["Run A", "harbour may"],
    ["Run B", "harbour june"],
  ] as const) {
    await page.getByRole("combobox", { name: label }).fill(text);
    const month = text.slice("harbour ".length);
    await page.getByRole("option", { name: new RegExp(`of ${month}`, "i") }).click();
  }
  await page.getByRole("table", { name: "The two runs" }).waitFor();
  await page.getByRole("link", { name: "Harbour report of May" }).waitFor();
  await page.getByRole("link", { name: "Harbour report of June" }).waitFor();
});

verifies("console.drawer-key", "a key is made beside the requests of a screen, and shown once", async () => {
  const page = await openAt("/agents");
  await page.getByRole("link", { name: "New agent" }).waitFor();
  await page.keyboard.press("Alt+a");
  await page.getByRole("button", { name: "Make a key" }).click();
  await page.getByLabel("Label").fill("From the drawer");
  await page.getByRole("button", { name: "Make key" }).click();
  const shown = page.getByRole("dialog", { name: "Your new key" });
  await shown.getByText(/^mst_/).first().waitFor();
  await page.keyboard.press("Escape");
  await shown.waitFor({ state: "detached" });
  await page.getByRole("dialog", { name: "This screen by the API" }).waitFor();
  expect(await page.getByText(/mst_\w{20}/).count()).toBe(0);
});
