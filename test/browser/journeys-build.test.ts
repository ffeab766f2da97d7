import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../support/api.ts";
import { addText, createBase, documentRead } from "../support/knowledge.ts";
import { environmentOf, runMuster } from "../support/muster.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

const idRows = z.array(z.object({ id: z.string() }));

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

function openAt(path: string): Promise<Page> {
  return browser.open(scene, path, { mayFail: ["/console/api/knowledge/uploads"] });
}

verifies(
  "agent-screens.edit",
  "an agent is edited over a reload, its versions are compared by word, and an earlier one is restored",
  async () => {
    const { id } = await createAgent(scene.api, { name: "Gardener", system_prompt: "You know roses." });
    const page = await browser.open(scene, "/agents", { mayFail: ["/functions/v1/api-agents"] });
    await page.getByRole("link", { name: "Gardener" }).click();
    await page.getByLabel("Prompt", { exact: true }).fill("You know roses and tulips.");
    await page.getByLabel("Temperature").fill("9");
    await page.getByText("Unsaved: Prompt, Temperature").waitFor();

    await page.reload();
    await page.getByText("Unsaved: Prompt, Temperature").waitFor();
    await expect.poll(() => page.getByLabel("Prompt", { exact: true }).inputValue()).toBe("You know roses and tulips.");
    await page.getByRole("button", { name: "Save version" }).click();
    await page.locator("input[aria-invalid=true]").waitFor();
    await expect.poll(() => page.getByLabel("Temperature").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Temperature").fill("0.2");
    await page.getByRole("button", { name: "Save version" }).click();
    await page.getByText("Saved as version 2.", { exact: true }).waitFor();

    await page.getByRole("link", { name: "Versions" }).click();
    await page.waitForURL(/tab=versions/);
    const diff = page.getByRole("region", { name: "Version 2" });
    // A machine without any font of equal widths draws nothing here.
    await diff.locator("ins").first().waitFor({ state: "attached" });
    await expect.poll(() => diff.locator("ins").allTextContents()).toContain(" and tulips");
    await page
      .getByRole("navigation", { name: "Versions" })
      .getByRole("link", { name: /Version 1/ })
      .click();
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("button", { name: "Restore version", exact: true }).click();
    await page.getByText("Restored version 1, as version 3.", { exact: true }).waitFor();
    await expect
      .poll(() => sql(scene.service.databaseUrl, "select system_prompt, version from agents where id = $1", [id]))
      .toEqual([{ system_prompt: "You know roses.", version: 3 }]);
  },
);

verifies("knowledge.documents.warning", "what was not read is said by the API, the CLI and the console", async () => {
  const { service } = scene;
  const api = consoleOf(service, service.keys.api);
  const baseId = await createBase(api, { name: "Stock" });
  const text = "item,size\nPipe,5\nRod,3,left over\n";
  const { id } = await addText(api, baseId, { name: "Sizes", text, format: "csv" });
  const { warning } = await documentRead(api, id);
  expect(warning).toContain("in row 3");
  const listed = await runMuster(["knowledge", "list", "--base", "Stock", "--json"], { env: environmentOf(service) });
  expect(listed.stdout).toContain("in row 3");
  const page = await openAt(`/knowledge?base=${baseId}`);
  const row = page.getByRole("row", { name: /Sizes/ });
  await row.getByText("in row 3").waitFor();
  await row.getByRole("link", { name: "Sizes" }).click();
  await page.getByRole("dialog", { name: "Sizes" }).getByText("in row 3").waitFor();
  expect((await api.delete(`/knowledge/bases/${baseId}`)).status).toBe(204);
});

verifies("team-screens.journey.document", "a document is added, read, fails, is read again, and is found", async () => {
  const page = await openAt("/knowledge");
  await page.getByRole("link", { name: "New knowledge base" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Handbook");
  await page.getByRole("button", { name: "Create knowledge base" }).click();
  await page.getByRole("link", { name: "Add documents" }).first().click();
  await page.getByLabel("Tags").fill("staff");
  await page.getByLabel("Files", { exact: true }).setInputFiles([
    { name: "lost.txt", mimeType: "text/plain", buffer: Buffer.from("Lost property is kept for six weeks.") },
    { name: "app.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
  ]);
  const uploads = page.getByRole("list", { name: "Uploads" });
  await uploads.getByText(/is not supported; supported:/).waitFor();
  await uploads.getByText("Sent").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row", { name: /lost\.txt/ });
  await row.getByText("Ready").waitFor();

  const [{ id } = { id: "" }] = idRows.parse(
    await sql(scene.service.databaseUrl, "select id from knowledge_documents"),
  );
  const original = await storedAs(id);
  const content = await readFile(original);
  await writeFile(original, Buffer.from([0xff, 0xfe, 0xff]));
  await row.getByRole("link", { name: "lost.txt" }).click();
  const sheet = page.getByRole("dialog", { name: "lost.txt" });
  await sheet.getByRole("button", { name: "Read again" }).click();
  await sheet.getByText("Failed").waitFor();
  await sheet.getByRole("button", { name: "Close" }).click();
  await row.getByText("Failed").waitFor();
  await writeFile(original, content);
  await row.getByRole("button", { name: "Read again" }).click();
  await row.getByText("Ready").waitFor();
  await expect
    .poll(() => sql(scene.service.databaseUrl, "select status, attempt, tags from knowledge_documents"))
    .toEqual([{ status: "ready", attempt: 3, tags: ["staff"] }]);

  const base = page.getByRole("link", { name: "Handbook" });
  await expect.poll(() => base.innerText()).toContain("1");
  const [{ id: baseId } = { id: "" }] = idRows.parse(
    await sql(scene.service.databaseUrl, "select id from knowledge_bases"),
  );
  const api = consoleOf(scene.service, scene.service.keys.api);
  await addText(api, baseId, { name: "more.txt", text: "Umbrellas are kept for a year.", format: "text" });
  await expect.poll(() => base.innerText()).toContain("2");

  await page.getByRole("link", { name: "Search", exact: true }).click();
  await page.getByLabel("Question").fill("lost property");
  await page.getByRole("button", { name: "Search", exact: true }).last().click();
  await page.getByText("Full-text search").waitFor();
  await page.getByText("kept for six weeks").waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("ask")).toBe("lost property");
});

/** The file that holds a content whose key ends with this id. */
async function storedAs(id: string): Promise<string> {
  const names = await readdir(scene.service.folder, { recursive: true });
  return join(scene.service.folder, names.find((name) => name.endsWith(id)) ?? "");
}
