import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect } from "vitest";
import type { Page } from "playwright-core";
import { apiOf, consoleOf } from "../../support/api.ts";
import { freePort } from "../../support/free-port.ts";
import { callOf } from "../../support/interactions.ts";
import { createPage } from "../../support/page-scene.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { PHONE, useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";
import { LOOKS, prepareScan, violationsOn } from "../sweep-screens.ts";

const KB = 1_000;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

async function pageOf(fields: object = {}, agent: object = {}) {
  const desk = consoleOf(scene.service, scene.service.keys.api);
  const { id } = await createAgent(scene.api, { name: "Helper", ...agent });
  const { id: pageId, slug } = await createPage(desk, id, { title: "Ask us", ...fields });
  return { desk, agentId: id, pageId, url: `${scene.service.url}/p/${slug}` };
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

const isWhole = (page: Page) => page.evaluate("document.documentElement.scrollWidth <= innerWidth");
/** What the agent has said, with single blanks. */
const told = async (page: Page) => (await page.getByRole("log").innerText()).replaceAll(/\s+/g, " ");

verifies("agent-pages.page", "a visitor asks, answers, stops and finds the conversation again", async () => {
  const tools = ["request_choice", "current_time"];
  const greeting = "Hello, I know **orders**.";
  const { url, desk, pageId } = await pageOf(
    { greeting, prompts: ["Where is it?"], takes_files: true },
    { tools, config: { requires_approval: ["current_time"] } },
  );
  const page = await browser.newSeparatePage({ viewport: PHONE, mayFail: ["/p/"] });
  await page.goto(url);
  await page.locator("strong", { hasText: "orders" }).waitFor();
  await page.getByRole("button", { name: "Where is it?" }).click();
  await page.getByText('this is the answer to "Where is it?"').waitFor();
  const file = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("hello") };
  await page.getByLabel("Files", { exact: true }).setInputFiles(file);
  const choices = [
    { id: "a", label: "The lamp" },
    { id: "b", label: "The chair" },
  ];
  await say(page, callOf("request_choice", { title: "Which order?", choices }));
  await page.getByRole("heading", { name: "Which order?" }).waitFor();
  expect(await isWhole(page)).toBe(true);
  await page.getByRole("radio", { name: "The chair" }).check();
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText('request_choice: {"selectedOptionId":"b"}').waitFor();
  await say(page, "[[slow:100]][[words:300]] On and on");
  await page.getByText("these words come").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped.").waitFor();
  await page.getByRole("button", { name: "New conversation" }).click();
  await say(page, callOf("current_time", {}));
  await page.getByText("Waiting for approval by a person.").waitFor();
  await page.reload();
  await page.getByText("Waiting for approval by a person.").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "History" }).click();
  await page.getByRole("button", { name: /^Where is it\?/ }).click();
  expect(await told(page)).toContain("note.txt");
  await page.reload();
  await expect.poll(() => told(page)).toContain("note.txt");
  await desk.patch(`/pages/${pageId}`, { limits: { visitor_minute: 1 } });
  await say(page, "One too many");
  await page.getByRole("alert").getByText("You are sending messages faster").waitFor();
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("One too many");
  await desk.patch(`/pages/${pageId}`, { is_on: false });
  await page.reload();
  await page.getByRole("alert").getByText("This page is switched off.").waitFor();
});

verifies("agent-pages.page", "two tabs show one conversation, and no text is cut", async () => {
  const { url } = await pageOf({ limits: { message_chars: 100 } });
  const one = await browser.newSeparatePage({ mayFail: ["/p/"] });
  await one.goto(url);
  await say(one, "From the first tab");
  await one.getByText('this is the answer to "From the first tab"').waitFor();
  const two = await one.context().newPage();
  await two.goto(url);
  await two.getByRole("button", { name: "History" }).click();
  await two.getByRole("button", { name: /^From the first tab/ }).click();
  await say(one, "[[slow:50]][[say:More from the first one]]");
  await two.getByText("More from the first one", { exact: true }).waitFor();
  await say(two, "From the second tab");
  await one.getByText('this is the answer to "From the second tab"').waitFor();
  await one.reload();
  await expect.poll(() => told(one)).toMatch(/first tab.*More from the first one.*second tab/);
  // A page that the browser has kept goes on when it is shown again.
  await say(one, "[[slow:50]][[words:60]] Go on");
  await one.getByText("these words come").waitFor();
  for (const type of ["pagehide", "pageshow"])
    await one.evaluate(`dispatchEvent(new PageTransitionEvent("${type}", { persisted: true }))`);
  await one.getByRole("button", { name: "Send", exact: true }).waitFor();
  await say(one, "x".repeat(101));
  await one.getByRole("alert").getByText("A message has at most 100 characters here; this one has 101.").waitFor();
});

verifies("agent-pages.page", "a question takes the focus and gives it back, and keeps what was typed", async () => {
  const { url } = await pageOf({}, { tools: ["request_choice"] });
  const page = await browser.newSeparatePage();
  await page.goto(url);
  const choice = callOf("request_choice", { title: "Which?", choices: [{ id: "a", label: "This" }] });
  await say(page, `[[slow:200]][[say:one two three four five six]]${choice}`);
  await page.getByText(/^one two/).waitFor();
  const field = page.getByRole("textbox", { name: "Message" });
  await field.pressSequentially("My draft");
  await page.getByRole("heading", { name: "Which?" }).waitFor();
  const focused = () => page.evaluate("document.activeElement.tagName");
  await expect.poll(focused).toBe("SECTION");
  for (const key of ["Tab", "Space", "Tab", "Enter"]) await page.keyboard.press(key);
  await page.getByText('request_choice: {"selectedOptionId":"a"}').waitFor();
  await expect.poll(focused).toBe("TEXTAREA");
  expect(await field.inputValue()).toBe("My draft");
});

verifies(
  "agent-pages.page",
  "the page is small, and has no fault for those who need it readable in any look",
  async () => {
    const { url } = await pageOf({ prompts: ["Tell me"], takes_files: true }, { tools: ["request_choice"] });
    for (const { viewport, theme } of LOOKS) {
      const page = await browser.newSeparatePage({ viewport, theme });
      const scripts = new Set<string>();
      page.on("requestfinished", (request) => request.url().endsWith(".js") && scripts.add(request.url()));
      await prepareScan(page);
      await page.goto(url);
      await page.getByRole("button", { name: "Tell me" }).waitFor();
      const sizes = [...scripts].map(async (script) => {
        const response = await fetch(script, { headers: { "accept-encoding": "gzip" } });
        await response.body?.cancel();
        return Number(response.headers.get("content-length"));
      });
      expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(100 * KB);
      expect(await violationsOn(page, theme)).toEqual([]);
      await say(page, callOf("request_choice", { title: "Which?", choices: [{ id: "a", label: "This" }] }));
      await page.getByRole("button", { name: "Send answer" }).waitFor();
      expect(await violationsOn(page, theme)).toEqual([]);
      await page.getByRole("button", { name: "History" }).click();
      expect(await violationsOn(page, theme)).toEqual([]);
      expect(await isWhole(page)).toBe(true);
    }
  },
);

verifies(
  "agent-pages.page",
  "a listed site shows the page in a frame, also without storage; others do not",
  async () => {
    const site = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<iframe src="${framed}" title="Ask us" width="360" height="600"></iframe>`);
    });
    let framed = "";
    await once(site.listen(0, "127.0.0.1"), "listening");
    const address = site.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { url } = await pageOf({ origins: [`http://localhost:${port}`] });
    framed = url;
    const page = await browser.newSeparatePage({ mayFail: ["frame-ancestors", "chrome-error"] });
    // A browser that keeps nothing for frames of other sites.
    await page.addInitScript(`if (window !== top) for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { configurable: true, get() { throw new DOMException("no", "SecurityError") } })`);
    await page.goto(`http://localhost:${port}/`);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("textbox", { name: "Message" }).fill("In the frame");
    await frame.getByRole("button", { name: "Send" }).click();
    await frame.getByText('this is the answer to "In the frame"').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForLoadState("networkidle");
    expect(await frame.getByRole("textbox", { name: "Message" }).count()).toBe(0);
    site.close();
  },
);

verifies(
  "agent-pages.crash",
  "an answer goes on over a reload and a killed process, without a lost or repeated word",
  async () => {
    const database = await createDatabase();
    const [keys, port] = [createKeys(), await freePort()];
    const start = () => startProcess({ databaseUrl: database.url, keys, env: { PORT: String(port) } });
    let service = await start();
    const { id } = await createAgent(apiOf(service, keys.api), { name: "Helper" });
    const { slug } = await createPage(consoleOf(service, keys.api), id);
    const page = await browser.newSeparatePage({ mayFail: ["/p/", "ERR_"] });
    await page.goto(`${service.url}/p/${slug}`);
    await say(page, "[[slow:40]][[words:150]] Count");
    await page.getByText("these words come").waitFor();
    await page.reload();
    await page.getByText("these words come").waitFor();
    await service.kill();
    await page.getByText("The connection was lost.").waitFor();
    service = await start();
    await page.getByRole("button", { name: "Send", exact: true }).waitFor({ timeout: 60_000 });
    const said = await told(page);
    expect(said.match(/Demo model \(no AI\):/g)).toHaveLength(1);
    const words = said.slice(said.indexOf("Demo model")).trim().split(" ");
    expect(words).toHaveLength(150);
    await service.stop();
    await database.drop();
  },
  { timeout: 120_000 },
);

verifies("agent-pages.console", "an admin publishes an agent on a page, and takes it back", async () => {
  const { id } = await createAgent(scene.api, { name: "Front Desk" });
  const page = await browser.open(scene, `/agents/${id}?tab=publish`);
  await page.getByRole("checkbox", { name: "Let visitors talk to it" }).click();
  const dialog = page.getByRole("dialog", { name: "New page" });
  expect(await dialog.getByLabel("Address").inputValue()).toBe("front-desk");
  await dialog.getByLabel("Suggestions").fill("One?\nTwo?");
  await dialog.getByLabel("Sites that may show it in a frame").fill("https://www.example.com/");
  await dialog.getByRole("button", { name: "Create page and switch it on" }).click();
  await page.getByText(`${scene.service.url}/p/front-desk`, { exact: true }).waitFor();
  await page.getByText(`<iframe src="${scene.service.url}/p/front-desk" title="Front Desk"`).waitFor();
  await page.getByText(/^Spent \$0.* of \$5\.00 today\.$/).waitFor();
  const visitor = await browser.newSeparatePage();
  await visitor.goto(`${scene.service.url}/p/front-desk`);
  await visitor.getByRole("button", { name: "Two?" }).waitFor();
  await page.getByRole("button", { name: "Page settings" }).click();
  const settings = page.getByRole("dialog", { name: "Page settings" });
  await settings.getByLabel("Title").fill("At your service");
  await settings.getByRole("button", { name: "Save page" }).click();
  await settings.waitFor({ state: "hidden" });
  await visitor.reload();
  await visitor.getByRole("heading", { name: "At your service" }).waitFor();
  await page.getByRole("checkbox", { name: "Let visitors talk to it" }).click();
  await expect.poll(() => page.getByText(`${scene.service.url}/p/front-desk`, { exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "Delete page" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete page" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Page settings" }).count()).toBe(0);
});
