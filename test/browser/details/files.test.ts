import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { uploadTo } from "../../support/files.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

const HOSTILE = `<!doctype html><body><h1>Hello</h1><script>document.body.textContent = "scripts ran"</script></body>`;
const MANY = 40;
const HALF_A_DAY_MS = 43_200_000;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

function openAt(path: string): Promise<Page> {
  return browser.open(scene, path, { mayFail: ["/preview?"] });
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

verifies("team-screens.upload-many", "while many files are uploaded, the list is not read for each", async () => {
  const page = await openAt("/files?add=files");
  let reads = 0;
  page.on("request", (request) => {
    if (request.method() === "GET" && new URL(request.url()).pathname === "/files") reads++;
  });
  const files = Array.from({ length: MANY }, (_, n) => {
    return { name: `many-${n}.txt`, mimeType: "text/plain", buffer: Buffer.from(`File ${n}.`) };
  });
  await page.getByLabel("Files", { exact: true }).and(page.locator("input")).setInputFiles(files);
  const uploads = page.getByRole("list", { name: "Uploads" });
  await expect.poll(() => uploads.getByText("Sent").count()).toBe(MANY);
  expect(reads).toBeLessThan(MANY / 2);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: `many-${MANY - 1}.txt` }).waitFor();
});

verifies("team-screens.files-links", "a file that stays open for a day can still be downloaded", async () => {
  const { id } = await uploadTo(scene.service, { name: "kept.md", type: "text/markdown", content: "# Kept" });
  const page = await browser.newSeparatePage();
  await page.clock.install();
  await scene.signIn(page);
  await page.goto(`${scene.service.url}/w/my-workspace/files?file=${id}`);
  await page.getByRole("link", { name: "Download" }).waitFor();
  const again = page.waitForResponse((response) => response.url().endsWith(`/files/${id}`));
  await page.clock.fastForward(HALF_A_DAY_MS);
  expect((await again).status()).toBe(200);
});
