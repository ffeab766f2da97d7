import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readTask, stopTask, taskIn } from "../../support/work.ts";
import { GRACE, askIn, giveGrace } from "../ask-in-scene.ts";
import { DESKTOP, PHONE, useBrowser } from "../browser.ts";
import { draftsOf, openScene, signInOn } from "../scene.ts";
import type { Scene } from "../scene.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies(
  ["questions.context", "run-page.head.waited", "pages.clock"],
  "a question has its context, and its wait counts, also by a clock that is wrong",
  async () => {
    const agent = await createAgent(scene.api, { name: "Careful", tools: ["request_approval"] });
    const call = '[[tool:request_approval {"title":"Pay the invoice?"}]]';
    const description = `[[slow:0]][[say:The sum is right.]] ${call}`;
    const { id } = await createTask(scene.api, { title: "Check it", description, assigned_agent_id: agent.id });
    await taskIn(scene.api, id, "waiting_for_input");
    const page = await browser.newSeparatePage({ viewport: PHONE });
    await scene.signIn(page);
    for (const path of [`/r/${id}/answer`, `/w/my-workspace/questions?agent=${agent.id}`]) {
      await page.setViewportSize(path.startsWith("/r/") ? PHONE : DESKTOP);
      await page.goto(scene.service.url + path);
      const folded = page.getByRole("group").filter({ hasText: "The last output" });
      await folded.getByText("The last output").click();
      await folded.getByText("The sum is right.").waitFor();
    }
    // The clock of this computer is a day ahead.
    await page.clock.install({ time: Date.now() + DAY_MS });
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}`);
    const started = page.getByRole("term").filter({ hasText: "Started" }).locator("..");
    const wait = page.getByText(/^of which waiting \d/);
    await wait.waitFor();
    const before = [await started.textContent(), await wait.textContent()];
    expect(before).toEqual([expect.stringMatching(/now|ago/), expect.stringMatching(/ (ms|s|min)\b/)]);
    // From the fifth second on, an age changes every second.
    await page.clock.fastForward(6_000);
    await eventually("both have gone on", async () => {
      const now = [await started.textContent(), await wait.textContent()];
      return now.every((text, index) => text !== before[index]);
    });
    await stopTask(scene.api, id);
  },
);

verifies("questions.keys", "questions are navigated with the keyboard, and filtered by agent and team", async () => {
  const one = await askIn(scene, "First by deadline?", { timeoutMs: 10 * MINUTE_MS, name: "Asker one" });
  await askIn(scene, "Second by deadline?", { timeoutMs: 20 * MINUTE_MS, name: "Asker two" });
  const page = await browser.open(scene, `/questions?agent=${one.agent}`);
  const list = page.getByRole("list", { name: "Open questions" });
  await list.getByText("First by deadline?").waitFor();
  await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
  await page.keyboard.press("/");
  const filters = page.getByRole("search", { name: "Filter questions" });
  await expect.poll(() => filters.locator("button:focus").textContent()).toBe("Agent: Asker one");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await list.getByText("Second by deadline?").waitFor();
  const heading = page.getByRole("heading", { level: 2 });
  await heading.getByText("First by deadline?").waitFor();
  for (const [key, shows] of [
    ["j", "Second"],
    ["k", "First"],
    ["e", "Second"],
    ["Shift+E", "First"],
  ] as const) {
    await page.keyboard.press(key);
    await heading.getByText(`${shows} by deadline?`).waitFor();
  }
});

verifies(
  ["questions.link", "pages.drafts"],
  "a person without an account answers by a link, under a name",
  async () => {
    const desk = consoleOf(scene.service, scene.service.keys.api);
    expect((await desk.patch("/workspace", { answer_links: true })).status).toBe(200);
    const { task, id } = await askIn(scene, "Who gets the contract?", { tool: "request_input" });
    const page = await browser.open(scene, `/questions?id=${id}`);
    await page.getByLabel("Your answer").fill("I have to ask");
    await page.getByRole("button", { name: "Create answer link" }).click();
    const dialog = page.getByRole("dialog", { name: "Answer link" });
    const link = (await dialog.locator("code").textContent()) ?? "";

    const guest = await browser.newPage({ viewport: PHONE });
    await guest.goto(link);
    await guest.getByRole("heading", { name: "Who gets the contract?" }).waitFor();
    await guest.getByLabel("Your answer").fill("Grace");
    const send = guest.getByRole("button", { name: "Send answer" });
    await expect.poll(() => send.isDisabled()).toBe(true);
    expect((await readTask(scene.api, task)).status).toBe("waiting_for_input");
    await guest.getByLabel("Your name").fill("Linus");
    await guest.reload();
    await send.tap();
    await guest
      .getByRole("status")
      .getByText(/^Answered by Linus, \d\d:\d\d$/)
      .waitFor();
    await taskIn(scene.api, task, "completed");
    // With the question its link goes from the page.
    await dialog.waitFor({ state: "detached" });
    await page
      .getByRole("status")
      .getByText(/^Answered by Linus through a link, \d\d:\d\d$/)
      .waitFor();
    expect(await page.content()).not.toContain("#token=");
    for (const each of [page, guest]) await expect.poll(() => draftsOf(each)).toEqual([]);
  },
);

verifies("questions.viewer", "a viewer's answer is disabled with the reason, until an admin allows it", async () => {
  const userId = await giveGrace(scene, "viewer");
  const { id } = await askIn(scene, "May a viewer answer?");
  const page = await browser.newPage();
  await signInOn(page, scene.service.url, GRACE);
  const open = async () => {
    await page.goto(`${scene.service.url}/w/my-workspace/questions?id=${id}`);
    await page.getByRole("button", { name: "Approve" }).waitFor();
  };
  await open();
  const button = page.getByRole("button", { name: "Approve" });
  await expect.poll(() => button.isDisabled()).toBe(true);
  await expect
    .poll(() => button.getAttribute("title"))
    .toBe("Needs the role member, or the right to answer; yours is viewer.");
  const desk = consoleOf(scene.service, scene.service.keys.api);
  expect((await desk.patch(`/members/${userId}`, { can_answer: true })).status).toBe(200);
  await open();
  await button.click();
  await page
    .getByRole("status")
    .getByText(/^Answered by you, /)
    .waitFor();
});

verifies("questions.thumb", "on a phone, the buttons of a long question are in view before it is read", async () => {
  const context = "The customer wrote again. ".repeat(120);
  const { task, id } = await askIn(scene, "Refund all lamps?", { context });
  const page = await browser.newPage({ viewport: PHONE });
  await scene.signIn(page);
  for (const path of [`/r/${task}/answer`, `/w/my-workspace/questions?id=${id}`]) {
    await page.goto(scene.service.url + path);
    await page.getByText("The customer wrote again.").first().waitFor();
    const approve = page.getByRole("button", { name: "Approve" });
    await approve.waitFor();
    const box = await approve.boundingBox();
    expect(box && box.y + box.height, path).toBeLessThanOrEqual(PHONE.height);
  }
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByText(/^Answered by you/).waitFor();
});
