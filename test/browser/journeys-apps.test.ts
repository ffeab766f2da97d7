import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { ADA } from "../support/accounts.ts";
import { startFakeServer } from "../support/fake-server.ts";
import type { FakeServer } from "../support/fake-server.ts";
import { listTools, registerApp, tokensOf } from "../support/mcp/app-client.ts";
import { createAgent } from "../support/work.ts";
import { verifies } from "../support/verifies.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

let scene: Scene;
/** The program on this computer, to which the browser returns. */
let program: FakeServer;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
  program = await startFakeServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<link rel=icon href=data:,><p>Back in the app");
  });
});
afterAll(async () => {
  await scene.service.stop();
  await program.close();
});

/** Waits until the browser is back at the program; returns what it brings. */
async function broughtBack(page: Page): Promise<URLSearchParams> {
  await page.getByText("Back in the app").waitFor();
  return new URL(page.url()).searchParams;
}

verifies(
  "pages.connect-app",
  "a person signs in, sees what an app asks for, allows it, and disconnects it in the settings",
  async () => {
    const { service } = scene;
    for (const name of ["Front desk", "Back office"]) await createAgent(scene.api, { name, is_mcp_published: true });
    const redirect_uri = `${program.url}/callback`;
    const app = await registerApp(service, { client_name: "Claude", redirect_uris: [redirect_uri] });
    const page = await browser.newPage({ mayFail: ["/app-requests/over"] });
    await page.goto(app.authorizeUrl({ redirect_uri }));
    await page.getByLabel("E-mail address").fill(ADA.email);
    await page.getByLabel("Password").fill(ADA.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Connect Claude" }).waitFor();
    await page.getByText("this computer").waitFor();
    await page.getByText("unknown, it registered itself").waitFor();
    await page.getByText("all published ones, now and later").click();
    await page.getByLabel("Front desk").check();
    await page.getByText("only 1 of them").waitFor();
    await page.getByRole("button", { name: "Allow" }).click();
    const code = (await broughtBack(page)).get("code") ?? "";
    const tokens = tokensOf(await app.exchange(code, { redirect_uri }));
    expect((await listTools(service, tokens.access_token)).body).toMatchObject({
      result: { tools: [{ name: "front_desk" }] },
    });

    await page.goto(`${service.url}/w/my-workspace/settings/keys`);
    await page.getByRole("heading", { name: "Connected apps" }).waitFor();
    await page.getByRole("button", { name: "Disconnect Claude" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("Add the URL").waitFor();
    expect((await listTools(service, tokens.access_token)).status).toBe(401);

    await page.goto(`${service.url}/connect/over`);
    await page.getByText("Start again in the app").waitFor();
  },
);

verifies(
  "pages.connect-app.window",
  "a window with the page keeps its opener; a click that came with the window allows nothing",
  async () => {
    const redirect_uri = `${program.url}/callback`;
    const app = await registerApp(scene.service, { client_name: "Web app", redirect_uris: [redirect_uri] });
    const page = await browser.newPage();
    await scene.signIn(page);
    await page.goto(program.url);
    const opened = page.waitForEvent("popup");
    await page.evaluate(`void open(${JSON.stringify(app.authorizeUrl({ redirect_uri }))})`);
    const popup = await opened;
    await popup.getByRole("heading", { name: "Connect Web app" }).waitFor();
    await popup.evaluate("void dispatchEvent(new Event('focus'))");
    await popup.getByRole("button", { name: "Allow" }).click();
    await popup.getByText("has just come to the front").waitFor();
    // Another request in another tab.
    await page.goto(app.authorizeUrl({ redirect_uri, state: "other" }));
    await page.getByRole("heading", { name: "Connect Web app" }).waitFor();
    for (const [tab, state] of [
      [popup, "state-of-the-app"],
      [page, "other"],
    ] as const) {
      await tab.getByRole("button", { name: "Deny" }).click();
      const back = await broughtBack(tab);
      expect([back.get("error"), back.get("state")]).toEqual(["access_denied", state]);
    }
    expect(await popup.evaluate("opener !== null")).toBe(true);
    await popup.close();
  },
);
