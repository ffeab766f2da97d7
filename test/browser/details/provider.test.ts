import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { ADA } from "../../support/accounts.ts";
import { startOpenIdProvider } from "../../support/open-id-provider.ts";
import type { TestOpenIdProvider } from "../../support/open-id-provider.ts";
import { startService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let provider: TestOpenIdProvider;
let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  provider = await startOpenIdProvider();
  scene = await openScene({ env: provider.env });
  provider.serve([scene.service]);
});
afterAll(async () => {
  await scene.service.stop();
  await provider.close();
});

verifies(
  "console.sign-in.provider",
  "the sign-in page leads to the provider, and back to the wanted page",
  async () => {
    provider.person = { sub: "ada", email: ADA.email, email_verified: true };
    const page = await browser.newSeparatePage();
    await page.goto(`${scene.service.url}/w/my-workspace/runs?status=failed`);
    await page.getByRole("link", { name: "Sign in with Acme" }).click();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/w/my-workspace/runs?status=failed");
    await page.reload();
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
  },
);

verifies("console.sign-in.provider", "a refusal of the provider is a page that leads back", async () => {
  provider.person = undefined;
  const page = await browser.newSeparatePage({ mayFail: ["/auth/oidc/callback"] });
  await page.goto(`${scene.service.url}/sign-in`);
  await page.getByRole("link", { name: "Sign in with Acme" }).click();
  await page.getByText("The sign-in provider says: access denied.").waitFor();
  await page.getByRole("link", { name: "Back to sign-in" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

verifies("console.sign-in.provider", "with passwords off, the sign-in page speaks of the provider alone", async () => {
  const service = await startService({ env: { ...provider.env, PASSWORD_SIGN_IN: "off" } });
  onTestFinished(service.stop);
  const page = await browser.newSeparatePage();
  await page.goto(`${service.url}/sign-in`);
  await page.getByRole("link", { name: "Sign in with Acme" }).waitFor();
  expect(await page.getByText(/password/i).count()).toBe(0);
});
