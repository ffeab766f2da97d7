import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { ADA, whoIs } from "../../support/accounts.ts";
import { consoleOf, fieldsOf, listOf } from "../../support/api.ts";
import { programToken, startOpenIdProvider } from "../../support/open-id-provider.ts";
import type { TestOpenIdProvider } from "../../support/open-id-provider.ts";
import { startService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

const AUDIENCE = "https://muster.example.com/api";

let provider: TestOpenIdProvider;
let scene: Scene;
const BEA = { sub: "bea", email: "bea@example.org", email_verified: true, name: "Bea" };
const browser = useBrowser();
beforeAll(async () => {
  provider = await startOpenIdProvider();
  const clients = [{ client: "ci", workspace: "my-workspace", role: "member" }];
  const programs = { OIDC_AUDIENCE: AUDIENCE, OIDC_CLIENTS: JSON.stringify(clients) };
  scene = await openScene({ env: { ...provider.env, ...programs } });
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

verifies("console.sign-in.provider", "a person without a password sees no form that needs one", async () => {
  await consoleOf(scene.service, scene.service.keys.api).post("/invitations", { email: BEA.email, role: "member" });
  provider.person = BEA;
  const page = await browser.newSeparatePage();
  await page.goto(`${scene.service.url}/w/my-workspace/settings/profile`);
  await page.getByRole("link", { name: "Sign in with Acme" }).click();
  await page.getByText("your account has no password").waitFor();
  expect(await page.getByLabel("E-mail address").isEditable()).toBe(false);
  expect(await page.getByRole("region", { name: /^Pass/ }).count()).toBe(0);
  await page.getByRole("region", { name: "Signed in" }).getByText("This one").waitFor();
});

verifies(
  "pages.service-accounts",
  "an admin limits a program of the provider to networks, and removes it",
  async () => {
    await whoIs(scene.service, await programToken(provider, "ci", AUDIENCE));
    const page = await browser.open(scene, "/settings/service-accounts");
    const account = page.getByRole("dialog", { name: "ci" });
    await page.getByRole("link", { name: "ci" }).click();
    expect(await account.getByLabel("Name", { exact: true }).isDisabled()).toBe(true);
    expect(await account.getByLabel("Role").isDisabled()).toBe(true);
    await account.getByLabel("Allowed networks").fill("203.0.113.0/24");
    await account.getByRole("button", { name: "Save account" }).click();
    await account.waitFor({ state: "detached" });
    const desk = consoleOf(scene.service, scene.service.keys.api);
    const [saved] = listOf(await desk.get("/service-accounts"));
    expect(saved).toMatchObject({ name: "ci", role: "member", networks: ["203.0.113.0/24"] });
    await page.getByRole("link", { name: "ci" }).click();
    await account.getByRole("button", { name: "Remove account" }).click();
    await page.getByRole("button", { name: "Remove account" }).click();
    await page.getByText("No service accounts yet").waitFor();
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
  const invited = await consoleOf(service, service.keys.api).post("/invitations", { email: BEA.email, role: "member" });
  const [, token] = /token=(\S+)/.exec(String(fieldsOf(invited)["link"])) ?? [];
  await page.goto(`${service.url}/invite#token=${token}`);
  await page.getByText(`under the address ${BEA.email}`).waitFor();
  await page.getByRole("link", { name: "Sign in with Acme" }).waitFor();
  expect(await page.getByLabel("Password").count()).toBe(0);
});
