import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { uploadTo } from "../support/files.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

const HOSTILE = `<!doctype html><body><h1>Hello</h1><script>document.body.textContent = "scripts ran"</script></body>`;
const idRows = z.array(z.object({ id: z.string() }));

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

function openAt(path: string): Promise<Page> {
  return browser.open(scene, path, { mayFail: ["/console/api/knowledge/uploads", "/preview?"] });
}

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

verifies("team-screens.journey.files", "files are uploaded, previewed without their scripts, and deleted", async () => {
  await uploadTo(scene.service, { name: "evil.html", type: "text/html", content: HOSTILE });
  const page = await openAt("/files");
  await page.getByRole("link", { name: "Upload files" }).click();
  await page
    .getByRole("dialog", { name: "Upload files" })
    .getByLabel("Files", { exact: true })
    .setInputFiles({ name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Notes\n\nAll is well.") });
  await page.getByText("Sent").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "notes.md" }).click();
  await page.getByRole("heading", { name: "Notes", exact: true }).waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();

  await page.getByRole("link", { name: "evil.html" }).click();
  const frame = page.frameLocator('iframe[title="Preview of evil.html"]');
  // The browser of the tests has no fonts but the console's, so that the frame's text takes no room.
  await frame.getByRole("heading", { name: "Hello" }).waitFor({ state: "attached" });
  expect(await frame.getByText("scripts ran").count()).toBe(0);
  const origin = await page.frames().at(-1)?.evaluate("self.origin");
  expect(origin).toBe("null");
  await page.getByRole("button", { name: "Delete file" }).click();
  await page
    .getByRole("dialog", { name: /Delete the file/ })
    .getByRole("button", { name: "Delete file" })
    .click();
  await page.getByRole("dialog").first().waitFor({ state: "detached" });
  await page.getByRole("link", { name: "notes.md" }).waitFor();
  await page.getByRole("link", { name: "evil.html" }).waitFor({ state: "detached" });
  await expect.poll(() => sql(scene.service.databaseUrl, "select name from files")).toEqual([{ name: "notes.md" }]);
});
