import { afterAll, beforeAll } from "vitest";
import { ADA } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { startMailServer } from "../../support/mail-server.ts";
import type { MailServer } from "../../support/mail-server.ts";
import { verifies } from "../../support/verifies.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let server: MailServer;
let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  server = await startMailServer();
  scene = await openScene({ env: { SMTP_URL: server.url, MAIL_FROM: "muster@example.org" } });
});
afterAll(async () => {
  await scene.service.stop();
  await server.close();
});

verifies("console.forgotten-password", "a mail leads from the sign-in page to a new password", async () => {
  const page = await browser.newSeparatePage();
  await page.goto(`${scene.service.url}/sign-in`);
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await page.getByText("Enter your e-mail address first.").waitFor();
  await page.getByLabel("E-mail address").fill(ADA.email);
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await page.getByText("If the address has an account, a mail with a link is on its way.").waitFor();
  await eventually("the mail", () => Promise.resolve(server.mails.length === 1), 30_000);
  await page.goto(server.mails[0]?.link ?? "");
  await page.getByLabel("Password").fill("a new password");
  const changed = page.waitForResponse((response) => response.url().endsWith("/auth/reset") && response.ok());
  await page.getByRole("button", { name: /password/i }).click();
  await changed;
  await page.goto(`${scene.service.url}/sign-in`);
  await page.getByLabel("E-mail address").fill(ADA.email);
  await page.getByLabel("Password").fill("a new password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/w/my-workspace");
});
