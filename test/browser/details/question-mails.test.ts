import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { startMailServer } from "../../support/mail-server.ts";
import type { MailServer } from "../../support/mail-server.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let server: MailServer;
let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  server = await startMailServer();
  scene = await openScene({ env: { SMTP_URL: server.url, MAIL_FROM: "Muster <muster@example.org>" } });
});
afterAll(async () => {
  await scene.service.stop();
  await server.close();
});

verifies("accounts.mail.questions.console", "the profile turns mails about questions on and off, by kind", async () => {
  const page = await browser.open(scene, "/settings/profile");
  const mails = page.getByRole("region", { name: "Mails" });
  const chosen = async (kinds: readonly string[]) =>
    eventually(`${kinds.join(" and ")} are stored`, async () => {
      const [row] = await sql<{ kinds: string[] }>(
        scene.service.databaseUrl,
        "select question_mails as kinds from users where email = 'ada@example.org'",
      );
      return JSON.stringify(row?.kinds) === JSON.stringify(kinds);
    });
  await mails.getByLabel("Approvals of calls and budgets").check();
  await chosen(["approvals"]);
  await mails.getByLabel("Other questions of agents").check();
  await chosen(["approvals", "questions"]);
  await mails.getByLabel("Approvals of calls and budgets").uncheck();
  await chosen(["questions"]);
  await page.reload();
  await mails.getByLabel("Other questions of agents").waitFor();
  expect(await mails.getByLabel("Other questions of agents").isChecked()).toBe(true);
  const folder = process.env["PICTURES_OF_MAILS"];
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    await mails.scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(folder, "mails.png") });
  }
});
