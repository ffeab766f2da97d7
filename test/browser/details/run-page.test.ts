import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { eventually } from "../../support/eventually.ts";
import { inTurns, saying } from "../../support/providers/scripted-agents.ts";
import type { Move } from "../../support/providers/scripted-agents.ts";
import { hasProgram } from "../../support/clients/has-program.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, readTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { isInView, openRun, useBrowser } from "../browser.ts";
import { openScriptedScene } from "../scene.ts";
import type { ScriptedScene } from "../scene.ts";
import { LOOKS, sweepScreens } from "../sweep-screens.ts";

const run = promisify(execFile);

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene({ OPENAI_API_KEY: "sk-test-of-openai", MODEL_ATTEMPTS: "1" });
});
afterAll(() => scene.stop());

/** Makes the calls of a task last a minute each, the second one from the 59th minute on. */
const LATER = `
  update run_steps set started_at = at + begins * interval '1 min', ended_at = at + ends * interval '1 min',
    first_token_at = at + ends * interval '1 min' - interval '1 s'
  from (values ('model:0', 0, 1), ('tool:call_1', 1, 1), ('model:1', 59, 60)) as times (step, begins, ends),
    (select min(started_at) as at from run_steps where run_id = $1) as first
  where run_id = $1 and key = step`;

verifies(
  ["console.run.waits", "console.run.once", "console.run.bars", "console.keys.single"],
  "a wait is unfolded and folded again, the axis zoomed; the steps are fetched once on a load",
  async () => {
    const player = await scene.player(
      inTurns((reply) => reply.callTool("current_time", {}, "call_1")),
      {
        tools: ["current_time"],
      },
    );
    const { id } = await createTask(scene.api, { title: "Slept", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "completed");
    await sql(scene.service.databaseUrl, LATER, [id]);
    const page = await browser.newPage();
    await scene.signIn(page);
    const fetched: string[] = [];
    page.on("response", (response) => fetched.push(new URL(response.url()).pathname));
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}`);
    const fold = page.getByRole("button", { name: /^Waited 58 min/ });
    const axis = page.getByRole("columnheader", { name: "Time" });
    const barsOf = (call: string) => page.getByRole("row", { name: call }).locator("[data-bar]");
    for (const words of ["show it in full", "fold it", "show it in full"]) {
      await expect.poll(() => fold.getAttribute("aria-label")).toContain(words);
      await fold.click();
    }
    // Half an hour is in the middle of the wait, where its button is.
    await expect.poll(() => fold.getAttribute("aria-label")).toContain("fold it");
    expect((await axis.innerText()).trim()).toBe("0");
    const [cell, bar] = await Promise.all([axis.boundingBox(), barsOf("Model call 2").last().boundingBox()]);
    expect((bar?.x ?? Infinity) + (bar?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0) + 0.1);

    const find = page.getByRole("searchbox", { name: "Find steps" });
    await find.pressSequentially("1+");
    expect(await find.inputValue()).toBe("1+");
    await find.fill("");
    await find.blur();
    await page.keyboard.press("+");
    await page.getByRole("button", { name: "Whole run" }).waitFor();
    await expect.poll(() => barsOf("Model call 1").count()).toBe(0);
    await page.keyboard.press("0");
    await page.keyboard.press("?");
    await page.getByLabel("Single-key shortcuts").uncheck();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("+");
    await page.evaluate("new Promise(requestAnimationFrame)");
    expect(await page.getByRole("button", { name: "Whole run" }).count()).toBe(0);
    // The stream has said that nothing has changed since, so nothing is read again.
    const head = `/console/api/runs/${id}`;
    for (const path of [head, `${head}/steps`]) expect(fetched.filter((each) => each === path)).toHaveLength(1);
  },
);

/** After its first call, 300 more, each an hour after the one before. */
const HOURLY = `
  insert into run_steps (run_id, attempt, key, workspace_id, result, facts, started_at, first_token_at, ended_at)
  select run_id, attempt, 'model:' || n, workspace_id, result, facts, started_at + n * interval '1 h',
    first_token_at + n * interval '1 h', ended_at + n * interval '1 h'
  from run_steps, generate_series(1, 300) as n where run_id = $1 and key = 'model:0'`;

verifies("console.run.many-waits", "of 300 waits those are drawn for which there is room", async () => {
  const player = await scene.player(saying("Still here."));
  const { id } = await createTask(scene.api, { title: "Each hour", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "completed");
  await sql(scene.service.databaseUrl, HOURLY, [id]);
  const page = await browser.open(scene, `/runs/${id}?view=timeline`);
  await page.getByText("301 steps", { exact: true }).waitFor();
  const folds = page.getByRole("button", { name: /^Waited .*: show it in full$/ });
  await folds.first().waitFor();
  expect(await folds.count()).toBeLessThan(50);
  expect(await page.evaluate("document.querySelectorAll('[role=treegrid] *').length")).toBeLessThan(2_000);
  for (let zooms = 0; zooms < 6; zooms++) await page.keyboard.press("+");
  await folds.first().click();
  await page.getByRole("button", { name: /^Waited .*: fold it$/ }).waitFor();
});

verifies("console.step.link", "the copied link to a step opens that step, also after a later attempt", async () => {
  const player = await scene.player(
    inTurns((reply) => reply.callTool("current_time", { time_zone: "Asia/Tokyo" }, "call_1")),
    { tools: ["current_time"] },
  );
  const { id } = await createTask(scene.api, { title: "And in Tokyo?", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "completed");
  const page = await openRun(browser, scene, id, "?step=model:1");
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

verifies(
  "console.step.curl",
  "the copied curl command sends the provider what the run has sent",
  async () => {
    const player = await scene.player(
      inTurns((reply) => reply.callTool("current_time", { time_zone: "Asia/Tokyo" }, "call_1")),
      { tools: ["current_time"], temperature: 0.5, system_prompt: 'It\'s $HOME, `date`, \\ and "quotes".\nJSON\n' },
    );
    const { id } = await createTask(scene.api, { title: "What's the time?", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "completed");
    const page = await openRun(browser, scene, id, "?step=model:1&tab=prompt");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("tokens in all").waitFor();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await page.getByText("Copied. The command reads the key from the environment.", { exact: true }).waitFor();
    const command = z.string().parse(await page.evaluate("navigator.clipboard.readText()"));
    expect(command).not.toContain("sk-test");
    const env = { ...process.env, OPENAI_BASE_URL: scene.provider.baseUrl, OPENAI_API_KEY: "sk-of-a-shell" };
    await run("sh", ["-c", command], { env });
    const [, sent, again] = player.calls();
    // The copy needs no place in the provider's cache.
    expect({ ...again?.body, prompt_cache_key: sent?.body["prompt_cache_key"] }).toEqual(sent?.body);
  },
  { skip: !hasProgram("curl") },
);

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
  const page = await openRun(browser, scene, id, "?step=model:0");
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
  const page = await browser.newSeparatePage();
  await scene.signIn(page);
  expect(await sweepScreens(page, LOOKS, [{ name: "usage", url, shows: "Counted as $0" }])).toEqual({});
  const note = page.getByRole("note").filter({ hasText: "llama-9" });
  await note.getByText('MODEL_PRICES={"llama-9":{"prompt":…,"completion":…}}', { exact: true }).waitFor();
});

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
  const page = await openRun(browser, scene, id);
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
