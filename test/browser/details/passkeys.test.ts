import { afterAll, beforeAll, expect } from "vitest";
import type { Page } from "playwright-core";
import { ADA } from "../../support/accounts.ts";
import { verifies } from "../../support/verifies.ts";
import { useBrowser } from "../browser.ts";
import { joinAs, openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  const opened = await openScene();
  // By its name: a passkey belongs to a host name.
  const url = opened.service.url.replace("127.0.0.1", "localhost");
  scene = { ...opened, service: { ...opened.service, url } };
});
afterAll(() => scene.service.stop());

/**
 * Gives the page's device an authenticator that knows the person by finger or face. It takes every request, also the
 * offer of the sign-in page, unless the person is away.
 */
async function giveAuthenticator(page: Page, isUserVerified = true) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async setPresent(enabled: boolean): Promise<void> {
      await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
  };
}

async function signIn(page: Page, path: string, person: { readonly email: string; readonly password: string }) {
  await page.goto(scene.service.url + path);
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${scene.service.url}/sign-in`);
}

verifies("console.passkeys", "a passkey is added, named, used and removed in a real browser", async () => {
  const page = await browser.newSeparatePage({ mayFail: ["/auth/passkeys/sign-in"] });
  const authenticator = await giveAuthenticator(page);
  await signIn(page, "/w/my-workspace/settings/profile", ADA);
  const section = page.getByRole("region", { name: "Passkeys" });
  await section.getByRole("button", { name: "Add a passkey" }).click();
  await section.getByText("not used yet").waitFor();
  await section.getByRole("button", { name: /^Actions for Chrome/ }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("My laptop");
  await page.reload();
  await page.getByText("Draft restored").waitFor();
  await page.getByRole("button", { name: "Save name" }).click();
  await section.getByText("My laptop").waitFor();
  // The same device has no second one.
  await section.getByRole("button", { name: "Add a passkey" }).click();
  await section.getByText("This device has a passkey of yours already.").waitFor();
  await authenticator.setPresent(false);
  await signOut(page);
  // Present before, it would take the offer of the page.
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await authenticator.setPresent(true);
  await page.waitForURL("**/w/my-workspace");
  await page.goto(`${scene.service.url}/w/my-workspace/settings/profile`);
  await section.getByText(/last used/).waitFor();
  await section.getByRole("button", { name: "Actions for My laptop" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove passkey" }).click();
  await section.getByText("My laptop").waitFor({ state: "detached" });
  await signOut(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("This passkey is not known here").waitFor();
});

verifies("console.passkeys.autofill", "the browser offers a passkey for the address, beside a password", async () => {
  const page = await browser.newSeparatePage();
  const authenticator = await giveAuthenticator(page);
  await signIn(page, "/w/my-workspace/settings/profile", ADA);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("not used yet").waitFor();
  await authenticator.setPresent(false);
  await signOut(page);
  expect(await page.getByLabel("E-mail address").getAttribute("autocomplete")).toBe("username webauthn");
  await signIn(page, "/sign-in", ADA);
  await page.waitForURL("**/w/my-workspace");
  await authenticator.setPresent(true);
  await signOut(page);
  await page.waitForURL("**/w/my-workspace");
});

verifies("console.passkeys", "who does not prove to be the person is told so", async () => {
  const page = await browser.newSeparatePage();
  await giveAuthenticator(page, false);
  await page.goto(`${scene.service.url}/sign-in`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("No passkey was chosen, or it took too long. Try again.").waitFor();
});

verifies(
  "console.passkeys.required",
  "a workspace asks a member for the first passkey, then for a known one",
  async () => {
    const page = await browser.newSeparatePage();
    await giveAuthenticator(page);
    await signIn(page, "/w/my-workspace/settings/profile", ADA);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("not used yet").waitFor();
    await page.goto(`${scene.service.url}/w/my-workspace/settings/workspace`);
    await page.getByLabel(/^A password alone does not open this workspace/).check();
    await page.getByRole("button", { name: "Save workspace" }).click();
    await page.getByText("Workspace saved.", { exact: true }).waitFor();

    const other = await browser.newSeparatePage({ mayFail: ["/auth/passkeys"] });
    const authenticator = await giveAuthenticator(other);
    await joinAs(scene, other, "member");
    await other.getByRole("heading", { name: "Add a passkey" }).waitFor();
    // A page that fails to load says so, and is tried again.
    await other.route("**/auth/passkeys", (route) => route.abort());
    await other.reload();
    const retry = other.getByRole("button", { name: "Retry" });
    await retry.waitFor();
    await other.unroute("**/auth/passkeys");
    await retry.click();
    await other.getByText("My workspace requires a passkey").waitFor();
    await other.getByRole("button", { name: "Add a passkey" }).click();
    await other.getByRole("navigation").first().waitFor();
    await authenticator.setPresent(false);
    await other.context().clearCookies();
    await signIn(other, "/w/my-workspace/runs?status=failed", {
      email: "member@example.org",
      password: "another password",
    });
    await other.getByRole("heading", { name: "Use your passkey" }).waitFor();
    await authenticator.setPresent(true);
    await other.getByRole("button", { name: "Use your passkey" }).click();
    await other.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    expect(new URL(other.url()).search).toBe("?status=failed");
  },
);
