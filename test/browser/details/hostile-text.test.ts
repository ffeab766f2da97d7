import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { saying } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";
import { PHONE, openRun, useBrowser } from "../browser.ts";
import { askIn } from "../ask-in-scene.ts";
import { openScriptedScene } from "../scene.ts";
import type { ScriptedScene } from "../scene.ts";

const MB = 2 ** 20;
/** Of each cell of a table in a text, the number of lines. */
const LINES = `
  [...document.querySelectorAll(".prose :is(th, td)")].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  })`;
/** What exhausts a parser's stack, or takes it quadratic time, at the sizes in which models have produced it. */
const HOSTILE = {
  "quotes in quotes": "> ".repeat(3_000),
  "lists in lists": "* ".repeat(2_000),
  "a domain without an end": "a.".repeat(45_000),
  "blank lines": `${"\n".repeat(50_000)}-`,
  "open brackets": "[".repeat(50_000),
} as const;

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene();
});
afterAll(() => scene.stop());

async function resultOf(text: string): Promise<string> {
  const { id: agent } = await scene.player(saying(text));
  const { id } = await createTask(scene.api, { title: "Write", assigned_agent_id: agent });
  await taskIn(scene.api, id, "completed");
  return id;
}

verifies("console.markdown.hostile", "a result that no parser can take is shown as it was written", async () => {
  for (const [name, text] of Object.entries(HOSTILE)) {
    const page = await openRun(browser, scene, await resultOf(`The report.\n\n${text}\n\nIts end.`));
    await page.getByText("The report.").first().waitFor();
    await page.getByRole("button", { name: "Raw" }).first().click();
    await expect.poll(() => page.getByText("Its end.").first().isVisible(), { message: name }).toBe(true);
  }
});

verifies("console.markdown.hostile", "a question whose text no parser can take can be answered", async () => {
  for (const [name, text] of Object.entries(HOSTILE)) {
    const { task } = await askIn(scene, `Send ${name}?`, { context: `Think of it.\n\n${text.slice(0, 6_000)}` });
    const page = await browser.open(scene, `/runs/${task}`);
    await page.getByText("Think of it.").first().waitFor();
    await page.goto(`${scene.service.url}/r/${task}/answer`);
    await page.getByText("Think of it.").first().waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Answered").first().waitFor();
  }
});

verifies("console.markdown.long", "of a very long result the beginning is shown, and the rest on demand", async () => {
  const lines = Array.from({ length: 2 ** 14 }, (_, n) => `Line ${n} of a very **long** report.`);
  const text = lines.join("\n\n");
  expect(text.length).toBeGreaterThan(MB / 2);
  const page = await openRun(browser, scene, await resultOf(text));
  await page.getByText("Line 1 of a very long report").first().waitFor();
  await page.getByText(/^The first 97\.\d KiB of \d+\.\d KiB$/).waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  expect(await (await download).path()).toBeDefined();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByText("Line 16383 of a very **long** report").waitFor();
});

verifies(
  "console.markdown.tables",
  "words and numbers of a table stay whole on a phone; the table scrolls",
  async () => {
    const row = "| Reconciliation | 1234567890.123456 | Notwithstanding | 99999999999999.99 |";
    const id = await resultOf(`| Kind | Sum | Reason | Total |\n| --- | --- | --- | --- |\n${row}`);
    const page = await browser.open(scene, `/runs/${id}`, { viewport: PHONE });
    const cells = page.getByRole("cell");
    await cells.filter({ hasText: "99999999999999.99" }).first().waitFor();
    const lines = z.array(z.number()).parse(await page.evaluate(LINES));
    expect(lines.length).toBeGreaterThanOrEqual(8);
    expect(Math.max(...lines)).toBe(1);
  },
);
