import { afterAll, beforeAll, expect } from "vitest";
import { inTurns, saying } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { isInView, useBrowser } from "../browser.ts";
import { openScriptedScene } from "../scene.ts";
import type { ScriptedScene } from "../scene.ts";

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene();
});
afterAll(() => scene.stop());

verifies("console.step.try", "the input of a step opens in the agent's tab Try, and is sent from there", async () => {
  const player = await scene.player(saying("Noon."));
  const { id } = await createTask(scene.api, { title: "What time is it?", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "completed");
  const page = await browser.open(scene, `/runs/${id}?step=model:0&tab=prompt`);
  await page.getByRole("button", { name: "Open in Try" }).click();
  await page.waitForURL(`**/agents/${player.id}?tab=try`);
  const message = page.getByRole("textbox", { name: "Message" });
  const input = player.calls()[0]?.body.messages.at(-1)?.content;
  await expect.poll(() => message.inputValue()).toBe(input);
  await message.fill("What time is it in Tokyo?");
  await page.reload();
  await expect.poll(() => message.inputValue()).toBe("What time is it in Tokyo?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Noon.").waitFor();
  await expect.poll(() => message.inputValue()).toBe("");
});

verifies("agent-screens.try-question", "a question of the agent is answered in the conversation", async () => {
  const player = await scene.player(
    inTurns(
      (reply) => reply.callTool("request_approval", { title: "Refund order 4711?", description: "It costs **$84**." }),
      (reply) => reply.say("Refunded."),
    ),
    { tools: ["request_approval"] },
  );
  const page = await browser.open(scene, `/agents/${player.id}?tab=try`);
  const message = page.getByLabel("Message");
  await message.fill("Refund it");
  await message.press("Shift+Enter");
  await message.pressSequentially("please.");
  await message.press("Enter");
  await page.getByText("Refund it\nplease.").waitFor();
  const question = page.getByRole("region", { name: "Refund order 4711?" });
  await question.getByText("$84").waitFor();
  await question.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Refunded.").waitFor();
  await question.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send" }).waitFor();
});

verifies(
  "agent-screens.try-stop",
  "Stop ends an answer, and the conversation goes on with the next message",
  async () => {
    const isStopped = Promise.withResolvers<void>();
    const player = await scene.player(async ({ body: { messages } }, reply) => {
      const isFirst = messages.at(-1)?.content === "Count.";
      reply.say(isFirst ? "Counting" : "Fine.");
      if (isFirst) await isStopped.promise;
      reply.finish();
    });
    const page = await browser.open(scene, `/agents/${player.id}?tab=try`);
    const message = page.getByLabel("Message");
    await message.fill("Count.");
    await message.press("Enter");
    await page.getByText("Counting").waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name: "Send" }).waitFor();
    isStopped.resolve();
    await message.fill("How are you?");
    await message.press("Enter");
    await page.getByText("Fine.").waitFor();
  },
);

verifies("agent-screens.try-scroll", "a streamed answer is followed, unless one has scrolled up to read", async () => {
  const lines = (from: number) => Array.from({ length: 60 }, (_, index) => `Line ${from + index}.\n\n`).join("");
  const [isRead, isSeen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const player = await scene.player(
    inTurns(
      async (reply) => {
        reply.say(lines(0));
        await isRead.promise;
        reply.say(lines(60));
        await isSeen.promise;
      },
      (reply) => reply.say(lines(200)),
    ),
  );
  const page = await browser.open(scene, `/agents/${player.id}?tab=try`);
  await page.getByLabel("Message").fill("Count.");
  await page.getByRole("button", { name: "Send" }).click();
  const first = page.getByText("Line 0.", { exact: true });
  await page.getByText("Line 59.").waitFor();
  await expect.poll(() => isInView(page.getByText("Line 59."))).toBe(true);
  await first.scrollIntoViewIfNeeded();
  isRead.resolve();
  await page.getByText("Line 119.").waitFor();
  expect(await isInView(first)).toBe(true);
  isSeen.resolve();
  await page.locator('button[type="submit"]:not([aria-busy])').waitFor();
  expect(await isInView(first)).toBe(true);
  await page.getByLabel("Message").fill("Go on.");
  await page.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => isInView(page.getByText("Line 259."))).toBe(true);
});

verifies(
  "agent-screens.try-scroll",
  "an answer that is laid out after it has ended is followed to its end",
  async () => {
    const player = await scene.player(saying(Array.from({ length: 60 }, (_, index) => `# Part ${index}\n\n`).join("")));
    const page = await browser.newSeparatePage();
    await scene.signIn(page);
    const isOver = Promise.withResolvers<void>();
    await page.route("**/markdown-worker-*.js", async (route) => {
      await isOver.promise;
      await route.continue();
    });
    await page.goto(`${scene.service.url}/w/my-workspace/agents/${player.id}?tab=try`);
    await page.getByLabel("Message").fill("Write.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator('button[type="submit"]:not([aria-busy])').waitFor();
    isOver.resolve();
    const end = page.getByRole("heading", { name: "Part 59" });
    await end.waitFor();
    await expect.poll(() => isInView(end)).toBe(true);
    await page.getByRole("link", { name: "New conversation" }).click();
    await page.getByText("Say something.").waitFor();
  },
);

verifies(
  "agent-screens.try-resend",
  "a first message whose response was lost is sent again to the same task",
  async () => {
    const player = await scene.player(saying("Once."));
    const page = await browser.newSeparatePage({ mayFail: ["/ag-ui/"] });
    await scene.signIn(page);
    await page.route(
      "**/ag-ui/**",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.goto(`${scene.service.url}/w/my-workspace/agents/${player.id}?tab=try`);
    await page.getByLabel("Message").fill("Say it.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("The service can't be reached.").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Once.").first().waitFor();
    await expect
      .poll(() => sql(scene.service.databaseUrl, "select status from tasks where assigned_agent_id = $1", [player.id]))
      .toEqual([{ status: "completed" }]);
  },
);

verifies("agent-screens.try-other-agent", "another agent's conversation leads to that agent", async () => {
  const [own, other] = [await scene.player(saying("Noon.")), await scene.player(saying("Dusk."))];
  const { id } = await createTask(scene.api, { title: "What time is it?", assigned_agent_id: other.id });
  await taskIn(scene.api, id, "completed");
  const page = await browser.open(scene, `/agents/${own.id}?tab=try&thread=${id}`);
  await page.getByRole("heading", { name: "This conversation belongs to another agent" }).waitFor();
  expect(await page.getByRole("textbox", { name: "Message" }).count()).toBe(0);
  await page.getByRole("link", { name: /^Open in / }).click();
  await page.waitForURL(`**/agents/${other.id}?tab=try&thread=${id}`);
  await page.getByText("Dusk.").waitFor();
});
