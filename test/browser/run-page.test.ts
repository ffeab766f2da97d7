import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { eventually } from "../support/eventually.ts";
import { inTurns, saying } from "../support/providers/scripted-agents.ts";
import type { Move } from "../support/providers/scripted-agents.ts";
import { verifies } from "../support/verifies.ts";
import { createTask, readTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { DESKTOP, useBrowser } from "./browser.ts";
import { openScriptedScene } from "./scene.ts";
import type { ScriptedScene } from "./scene.ts";
import { LOOKS, sweepScreens } from "./sweep-screens.ts";

const run = promisify(execFile);

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene({ OPENAI_API_KEY: "sk-test-of-openai", MODEL_ATTEMPTS: "1" });
});
afterAll(() => scene.stop());

/** Opens the page of a run, signed in. */
async function openRun(id: string, query = ""): Promise<Page> {
  const page = await browser.open(scene, `/runs/${id}${query}`);
  await page.getByRole("treegrid", { name: "Steps" }).waitFor();
  return page;
}

verifies(
  "pages.run-retry",
  "a failed run opens at the step at which it failed, and a retry from there completes",
  async () => {
    let isBroken = true;
    const player = await scene.player(
      inTurns(
        (reply) => reply.callTool("current_time", { time_zone: "Europe/Paris" }, "call_1"),
        (reply) => (isBroken ? reply.refuse(400, "No such deployment.") : reply.say("It is noon.")),
      ),
      { tools: ["current_time"] },
    );
    const { id } = await createTask(scene.api, { title: "What time is it?", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "failed");
    const page = await openRun(id);
    await page.getByRole("heading", { name: "Failed at Model call 2" }).waitFor();
    await page.waitForURL(/step=model%3A1/);
    await page.getByRole("complementary", { name: "Inspector" }).getByText("No such deployment.").waitFor();
    isBroken = false;
    await page.getByRole("button", { name: "Retry from step" }).click();
    await page.waitForURL((url) => url.pathname.includes("/runs/") && !url.pathname.includes(id));
    const retried = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await taskIn(scene.api, retried, "completed");
    await page.getByText("Completed", { exact: true }).waitFor();
    await page.getByText("It is noon.").first().waitFor();
    await expect
      .poll(() => sql(scene.service.databaseUrl, "select status from tasks where id = $1", [id]))
      .toEqual([{ status: "failed" }]);
  },
);

verifies("pages.run-prompt", "the prompt of a step is exactly the prompt that the provider got", async () => {
  const player = await scene.player(
    inTurns((reply) => reply.callTool("current_time", { time_zone: "Asia/Tokyo" }, "call_1")),
    { tools: ["current_time"], system_prompt: "Say the time.\n\n<b>Nothing</b> else." },
  );
  const { id } = await createTask(scene.api, { title: "And in Tokyo?", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "completed");
  const page = await openRun(id, "?step=model:1&tab=prompt");
  await page.getByText("2 of 4 messages are new in this call").waitFor();
  const sent = player.calls()[1]?.body.messages.map(({ content }) => content) ?? [];
  await expect
    .poll(() => page.locator("article > pre").allTextContents())
    .toEqual(sent.filter((text) => text !== null && text !== undefined && text !== ""));
});

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

verifies("console.step.link", "the copied link to a step opens that step, also after a later attempt", async () => {
  const player = await scene.player(
    inTurns((reply) => reply.callTool("current_time", { time_zone: "Asia/Tokyo" }, "call_1")),
    { tools: ["current_time"] },
  );
  const { id } = await createTask(scene.api, { title: "And in Tokyo?", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "completed");
  const page = await openRun(id, "?step=model:1");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("link", { name: "Prompt" }).click();
  await page.getByText("tokens in all").waitFor();
  // It says so for a moment only.
  await Promise.all([
    page.getByRole("button", { name: "Copied" }).waitFor(),
    page.getByRole("button", { name: "Copy link to this step" }).click(),
  ]);
  const link = z.string().parse(await page.evaluate("navigator.clipboard.readText()"));
  await scene.api.patch(`/api-tasks?id=${id}`, { status: "dispatched" });
  await eventually("there is another attempt", async () => (await readTask(scene.api, id)).attempt === 2);
  await page.goto("about:blank");
  await page.goto(link);
  await page.getByText("tokens in all").waitFor();
  await page.getByRole("button", { name: "Attempt 1 of 2" }).waitFor();
  await page.getByRole("heading", { name: "Model call 2", level: 2 }).waitFor();
});

verifies("console.step.curl", "the copied curl command sends the provider what the run has sent", async () => {
  const player = await scene.player(
    inTurns((reply) => reply.callTool("current_time", { time_zone: "Asia/Tokyo" }, "call_1")),
    { tools: ["current_time"], temperature: 0.5, system_prompt: 'It\'s $HOME, `date`, \\ and "quotes".\nJSON\n' },
  );
  const { id } = await createTask(scene.api, { title: "What's the time?", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "completed");
  const page = await openRun(id, "?step=model:1&tab=prompt");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText("tokens in all").waitFor();
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByText("Copied. The command reads the key from the environment.", { exact: true }).waitFor();
  const command = z.string().parse(await page.evaluate("navigator.clipboard.readText()"));
  expect(command).not.toContain("sk-test");
  const env = { ...process.env, OPENAI_BASE_URL: scene.provider.baseUrl, OPENAI_API_KEY: "sk-of-a-shell" };
  await run("sh", ["-c", command], { env });
  const [, sent, again] = player.calls();
  expect(again?.body).toEqual(sent?.body);
});

verifies("console.read-new", "a screen reader reads streaming text when it is asked to, each part once", async () => {
  const [second, end] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const player = await scene.player(
    inTurns(async (reply) => {
      reply.say("The first half.");
      await second.promise;
      reply.say(" The second half.");
      await end.promise;
    }),
  );
  const { id } = await createTask(scene.api, { title: "Speak slowly", assigned_agent_id: player.id });
  // The step that the URL names has begun.
  await eventually("it speaks", () => player.calls().length === 1);
  const page = await openRun(id, "?step=model:0");
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  const button = inspector.getByRole("button", { name: "Read what is new" });
  const said = inspector.getByRole("status");
  await inspector.getByText("The first half.").first().waitFor();
  await button.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => said.textContent()).toBe("The first half.");
  second.resolve(undefined);
  await inspector.getByText("The second half.").first().waitFor();
  await expect.poll(() => said.textContent()).toBe("The first half.");
  await page.keyboard.press("Enter");
  await expect.poll(() => said.textContent()).toBe("The second half.");
  end.resolve(undefined);
  await taskIn(scene.api, id, "completed");
});

verifies("console.unpriced", "Usage warns of a model without a price, with the setting for it", async () => {
  const fields = { model: "llama-9", provider: "openai-compatible" };
  const player = await scene.player(saying("For nothing?"), fields);
  const { id } = await createTask(scene.api, { title: "Cost nothing", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "completed");
  const url = `${scene.service.url}/w/my-workspace/usage`;
  const page = await browser.newPage();
  await scene.signIn(page);
  expect(await sweepScreens(page, LOOKS, [{ name: "usage", url, shows: "Counted as $0" }])).toEqual({});
  const note = page.getByRole("note").filter({ hasText: "llama-9" });
  await note.getByText('MODEL_PRICES={"llama-9":{"prompt":…,"completion":…}}', { exact: true }).waitFor();
});

verifies(
  "pages.run-fork",
  "before it starts, a fork shows what it reuses and costs; it runs with another model",
  async () => {
    const player = await scene.player(
      inTurns((reply) => reply.callTool("current_time", { time_zone: "Europe/Oslo" }, "call_1")),
      { tools: ["current_time"] },
    );
    const { id } = await createTask(scene.api, { title: "And in Oslo?", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "completed");
    const page = await openRun(id, "?step=model:1");
    await page.getByRole("button", { name: "Fork from here" }).click();
    const panel = page.getByRole("dialog", { name: "Fork from model call 2" });
    await panel
      .getByText("Model call 1 is reused at $0. Model call 2 runs again; it cost <$0.0001 last time.")
      .waitFor();
    await panel.getByLabel("Model", { exact: true }).selectOption("gpt-4o-mini");
    await panel.getByRole("button", { name: "Fork run" }).click();
    await page.waitForURL((url) => url.pathname.includes("/runs/") && !url.pathname.includes(id));
    const fork = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await taskIn(scene.api, fork, "completed");
    await page.getByText("what came before is reused").waitFor();
    await expect.poll(() => page.locator('[data-bar="reused"]').count()).toBe(2);
    expect(player.calls().map(({ body }) => body.model)).toEqual(["gpt-4o", "gpt-4o", "gpt-4o-mini"]);
  },
);

verifies(
  "pages.run-large",
  "of 500 steps at most 60 are in the document, and the most expensive is found",
  async () => {
    const player = await scene.player(saying("done"));
    const { id } = await createTask(scene.api, { title: "Read everything", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "completed");
    await sql(
      scene.service.databaseUrl,
      `insert into run_steps (run_id, attempt, key, workspace_id, result, facts, started_at, first_token_at, ended_at)
     select run_id, attempt, 'model:' || n, workspace_id, result,
       (facts::jsonb || jsonb_build_object('costUsd', case n when 321 then 4.2 else 0.001 end))::json,
       started_at + n * interval '1 second', first_token_at + n * interval '1 second', ended_at + n * interval '1 second'
     from run_steps, generate_series(1, 499) as n
     where run_id = $1 and key = 'model:0'`,
      [id],
    );
    const page = await openRun(id);
    await page.getByText("500 steps").waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBeLessThanOrEqual(60);
    await page.getByLabel("Show", { exact: true }).selectOption("costliest");
    await page.getByText("10 of 500 steps").waitFor();
    const row = page.getByRole("row", { name: "Model call 322" });
    await expect.poll(() => row.getByRole("gridcell").allTextContents()).toContain("$4.20");
    await row.click();
    await page.waitForURL(/step=model%3A321/);
    await page.getByLabel("Show", { exact: true }).selectOption("");
    await page.getByText("500 steps", { exact: true }).waitFor();
    const grid = page.getByRole("treegrid", { name: "Steps" });
    await grid.focus();
    for (const [key, last, step] of [
      ["End", "Model call 500", /step=model%3A499/],
      ["Home", "Model call 1", /step=model%3A0/],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForURL(step);
      await eventually(`${last} is in view`, () => isInView(grid.getByRole("row", { name: `${last}, Completed` })));
      await expect.poll(() => page.getByRole("row").count()).toBeLessThanOrEqual(60);
    }
  },
);

verifies("console.run.follow", "the newest step is followed until one scrolls, and again after l", async () => {
  const [next, end] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const quick = Array.from({ length: 14 }, (_, n): Move => {
    return (reply) => reply.callTool("current_time", { time_zone: `Etc/GMT+${n % 12}` });
  });
  const player = await scene.player(
    inTurns(
      ...quick,
      async (reply) => {
        await next.promise;
        reply.callTool("current_time", { time_zone: "Asia/Tokyo" });
      },
      async () => {
        await end.promise;
      },
    ),
    { tools: ["current_time"] },
  );
  const { id } = await createTask(scene.api, { title: "What time is it everywhere?", assigned_agent_id: player.id });
  const page = await openRun(id);
  const grid = page.getByRole("treegrid", { name: "Steps" });
  const isSeen = (name: string) =>
    eventually(`${name} is in view`, () => isInView(grid.getByRole("row", { name: `${name}, ` })));
  const scrollUp = async () => {
    await grid.hover();
    await page.mouse.wheel(0, -5_000);
    await isSeen("Model call 1");
  };
  await isSeen("Model call 15");
  await scrollUp();
  next.resolve(undefined);
  await page.getByText("31 steps", { exact: true }).waitFor();
  await isSeen("Model call 1");
  expect(page.url()).toContain("step=model%3A14");
  await page.keyboard.press("l");
  await isSeen("Model call 16");
  await page.waitForURL(/step=model%3A15/);
  await scrollUp();
  await page.keyboard.press("l");
  await isSeen("Model call 16");
  end.resolve(undefined);
  await taskIn(scene.api, id, "completed");
});

/** Whether an element is inside of the window, below the head of the page. */
async function isInView(element: Locator): Promise<boolean> {
  const box = (await element.count()) === 0 ? null : await element.boundingBox();
  return box !== null && box.y > 100 && box.y + box.height <= DESKTOP.height;
}
