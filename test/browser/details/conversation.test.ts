import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { inTurns } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { PHONE, isInView, useBrowser } from "../browser.ts";
import { openScriptedScene } from "../scene.ts";
import type { ScriptedScene } from "../scene.ts";

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene({ OPENAI_API_KEY: "sk-test-of-openai" });
});
afterAll(() => scene.stop());

verifies(
  "console.run.conversation",
  "a message leads to the model call that wrote it, with tokens and cost",
  async () => {
    const player = await scene.player(
      inTurns(
        (reply) => {
          reply.say("Let me look.");
          reply.callTool("current_time", { time_zone: "Asia/Tokyo" }, "call_1");
        },
        (reply) => reply.say("It is eight."),
      ),
      { tools: ["current_time"] },
    );
    const { id } = await createTask(scene.api, { title: "And in Tokyo?", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "completed");
    const page = await browser.open(scene, `/runs/${id}?view=conversation`);
    const steps = page.getByRole("region", { name: "Steps" });
    for (const call of ["Model call 1", "Model call 2"]) {
      const foot = steps.getByRole("paragraph").filter({ hasText: call });
      await foot.getByText("11 / 7 tokens").waitFor();
      await foot.getByText("<$0.0001").waitFor();
    }
    await steps.getByRole("link", { name: "Model call 2" }).click();
    await page.getByRole("complementary", { name: "Inspector" }).getByText("It is eight.").waitFor();
    await page.waitForURL(/step=model%3A1/);
    await expect.poll(() => new URL(page.url()).searchParams.get("view")).toBe("conversation");
  },
);

verifies(
  "console.run.follow",
  "a conversation in progress stays at its end, unless one scrolls up to read",
  async () => {
    const lines = (from: number) => Array.from({ length: 60 }, (_, index) => `Line ${from + index}.\n\n`).join("");
    const [isRead, isBack] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const player = await scene.player(
      inTurns(async (reply) => {
        reply.say(lines(0));
        await isRead.promise;
        reply.say(lines(60));
        await isBack.promise;
        reply.say(lines(120));
      }),
    );
    const { id } = await createTask(scene.api, { title: "Count", assigned_agent_id: player.id });
    const page = await browser.open(scene, `/runs/${id}?view=conversation`);
    const steps = page.getByRole("region", { name: "Steps" });
    const line = (n: number) => steps.getByText(`Line ${n}.`, { exact: true });
    await expect.poll(() => isInView(line(59))).toBe(true);
    await line(0).scrollIntoViewIfNeeded();
    isRead.resolve();
    await line(119).waitFor();
    expect(await isInView(line(0))).toBe(true);
    await line(119).scrollIntoViewIfNeeded();
    isBack.resolve();
    await expect.poll(() => isInView(line(179))).toBe(true);
  },
);

/** After the events of a run, 300 messages more, of one to four lines. */
const MORE_MESSAGES = `
  with log as (select log_id, workspace_id, attempt, last_seq from task_streams where log_id = $1),
  added as (
    insert into task_events (log_id, seq, workspace_id, attempt, event)
    select log_id, last_seq + (n - 1) * 3 + part, workspace_id, attempt, json_build_object(
      'type', (array['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'])[part], 'messageId', 'more-' || n,
      'delta', 'Message ' || n || repeat('. It goes on and on and does not come to its end', n % 7), 'timestamp', 1)
    from log, generate_series(1, 300) n, generate_series(1, 3) part)
  update task_streams set last_seq = last_seq + 900 where log_id = $1`;

/** How far the steps can still be scrolled down, in pixels, once two pictures have been drawn. */
const FROM_END = `(async () => {
  for (let picture = 0; picture < 2; picture++) await new Promise(requestAnimationFrame);
  const { scrollHeight, clientHeight, scrollTop } = document.querySelector("[aria-label=Steps]");
  return Math.round(scrollHeight - clientHeight - scrollTop);
})()`;

verifies(
  "console.run.long-conversation",
  "of 303 entries few are in the document; an opened call stays so, and what is read does not move",
  async () => {
    const player = await scene.player(
      inTurns((reply) => reply.callTool("current_time", { time_zone: "Asia/Tokyo" }, "call_1")),
      { tools: ["current_time"] },
    );
    const { id } = await createTask(scene.api, { title: "Say more", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "completed");
    await sql(scene.service.databaseUrl, MORE_MESSAGES, [id]);
    const page = await browser.open(scene, `/runs/${id}?view=conversation`);
    const steps = page.getByRole("region", { name: "Steps" });
    const entries = steps.getByRole("listitem");
    const call = steps.getByRole("group").filter({ hasText: "current_time" });
    await call.getByText("current_time").click();
    await call.getByText("Arguments").waitFor();
    await steps.focus();
    const last = entries.filter({ hasText: "Message 300" });
    await page.keyboard.press("End");
    await eventually("the end is in view", () => isInView(last));
    expect(await last.getAttribute("aria-posinset")).toBe(await last.getAttribute("aria-setsize"));
    expect(await entries.count()).toBeLessThan(60);
    expect(await call.count()).toBe(0);

    // Upwards, entries come that have not been measured.
    await page.evaluate("document.querySelector('[aria-label=Steps]').scrollTop /= 2");
    await eventually("the middle is drawn", async () => isInView(entries.nth(12)));
    await steps.hover();
    for (let turns = 0; turns < 10; turns++) {
      const read = await entries.nth(8).elementHandle();
      const from = await read?.boundingBox();
      await page.mouse.wheel(0, -200);
      await expect.poll(async () => Math.round(((await read?.boundingBox())?.y ?? 0) - (from?.y ?? 0))).toBe(200);
    }
    await page.keyboard.press("Home");
    await call.getByText("Arguments").waitFor();

    // In a narrow window, what is not yet measured is higher than estimated.
    const phone = await browser.open(scene, `/runs/${id}?view=conversation`, { viewport: PHONE });
    await phone.getByRole("listitem").first().waitFor();
    await phone.getByRole("region", { name: "Steps" }).focus();
    await phone.keyboard.press("End");
    await expect.poll(() => phone.evaluate(FROM_END)).toBe(0);
    await phone.getByRole("listitem").filter({ hasText: "Message 300" }).waitFor();
    await eventually("it is left again", async () => {
      await phone.keyboard.press("PageUp");
      return Number(await phone.evaluate(FROM_END)) > 100;
    });
  },
);
