import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { eventually } from "../support/eventually.ts";
import { inTurns, saying } from "../support/providers/scripted-agents.ts";
import { verifies } from "../support/verifies.ts";
import { createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { isInView, openRun, useBrowser } from "./browser.ts";
import { openScriptedScene } from "./scene.ts";
import type { ScriptedScene } from "./scene.ts";

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene({ OPENAI_API_KEY: "sk-test-of-openai", MODEL_ATTEMPTS: "1" });
});
afterAll(() => scene.stop());

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
    const page = await openRun(browser, scene, id);
    await page.getByRole("heading", { name: "Failed at Model call 2" }).waitFor();
    await page.waitForURL(/step=model%3A1/);
    // What failed is said once, and beside it is what was sent.
    await page.getByText("Task Title: What time is it?").waitFor();
    expect(await page.getByText("No such deployment.").count()).toBe(1);
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
  const page = await openRun(browser, scene, id, "?step=model:1&tab=prompt");
  await page.getByText("2 of 4 messages are new in this call").waitFor();
  const sent = player.calls()[1]?.body.messages.map(({ content }) => content) ?? [];
  await expect
    .poll(() => page.locator("article > pre").allTextContents())
    .toEqual(sent.filter((text) => text !== null && text !== undefined && text !== ""));
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
    const page = await openRun(browser, scene, id, "?step=model:1");
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
  ["pages.run-large", "console.run.failure-in-view", "console.run.narrow-keys"],
  "of 500 steps at most 60 are in the document; the most expensive is found, and the failed one",
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
    const page = await openRun(browser, scene, id);
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
    const read: (string | null)[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith("/step")) read.push(searchParams.get("key"));
    });
    // As when rows scroll below the pointer, and it rests on the last of them.
    await page.evaluate(`for (const row of [...document.querySelectorAll("[data-step]")].slice(1, 13))
      row.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));`);
    await expect.poll(() => read).toEqual(["model:12"]);
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

    await page.keyboard.press("End");
    const heads = grid.getByRole("rowgroup").first();
    await eventually("no row shows between the tabs and the heads of the columns", async () => {
      const [tabs, row] = [
        await page.getByRole("navigation", { name: "Views" }).boundingBox(),
        await heads.boundingBox(),
      ];
      return tabs !== null && row !== null && tabs.y + tabs.height === row.y;
    });

    await sql(scene.service.databaseUrl, FAILED, [id]);
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}`);
    await page.waitForURL(/step=model%3A499/);
    const banner = page.getByRole("region", { name: "Failed after Model call 500" });
    const last = grid.getByRole("row", { name: "Model call 500, " });
    for (const _ of ["it is selected", "it is out of view"]) {
      await eventually("the banner is in view", () => isInView(banner));
      await banner.getByRole("button", { name: "Go to step" }).click();
      await eventually("the failed step is in view", () => isInView(last));
      await grid.hover();
      await page.mouse.wheel(0, -99_999);
    }

    await page.setViewportSize({ width: 1000, height: 800 });
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}?view=list`);
    await grid.focus();
    for (const n of [1, 2, 3]) {
      await page.keyboard.press("ArrowDown");
      await page.getByRole("row", { name: `Model call ${n}, `, selected: true }).waitFor();
    }
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Model call 3" }).waitFor();
  },
);

verifies(
  "pages.run-live-large",
  "of 500 steps of a run in progress only those that change are read again, and at its end all",
  async () => {
    const [second, third] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const player = await scene.player(
      inTurns(
        (reply) => reply.callTool("current_time", { time_zone: "Europe/Paris" }, "call_1"),
        async (reply) => {
          await second.promise;
          reply.callTool("current_time", { time_zone: "Europe/Rome" }, "call_2");
        },
        async (reply) => {
          await third.promise;
          reply.say("That is all.");
        },
      ),
      { tools: ["current_time"] },
    );
    const { id } = await createTask(scene.api, { title: "Read on", assigned_agent_id: player.id });
    await eventually("the second call", async () => player.calls().length === 2);
    await sql(
      scene.service.databaseUrl,
      `insert into run_steps (run_id, attempt, key, workspace_id, result, facts, started_at, ended_at)
     select run_id, attempt, 'tool:earlier-' || n, workspace_id, result, facts,
       started_at - n * interval '5 seconds', started_at - (n - 1) * interval '5 seconds'
     from run_steps, generate_series(1, 500) as n
     where run_id = $1 and key = 'tool:call_1'`,
      [id],
    );
    const page = await browser.newPage();
    const reads: { readonly isPart: boolean; readonly rows: () => Promise<number> }[] = [];
    page.on("response", (response) => {
      const { pathname, searchParams } = new URL(response.url());
      if (!pathname.endsWith(`${id}/steps`)) return;
      reads.push({
        isPart: searchParams.has("ended_since"),
        rows: async () => stepsPage.parse(await response.json()).steps.length,
      });
    });
    await scene.signIn(page);
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}`);
    await page.getByText("503 steps", { exact: true }).waitFor();
    second.resolve();
    await page.getByText("505 steps", { exact: true }).waitFor();
    const [whole, ...parts] = reads.splice(0);
    expect([whole?.isPart, await whole?.rows()]).toEqual([false, 503]);
    expect(parts.map(({ isPart }) => isPart)).not.toContain(false);
    // The open call, and those that ended a moment ago.
    for (const { rows } of parts) expect(await rows()).toBeLessThanOrEqual(10);
    third.resolve();
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Completed", { exact: true }).waitFor();
    await eventually("all steps are read once more", async () => {
      const counts = await Promise.all(reads.map(async ({ isPart, rows }) => (isPart ? 0 : await rows())));
      return counts.includes(505);
    });
  },
);

const stepsPage = z.looseObject({ steps: z.array(z.unknown()) });

const FAILED = `
  update tasks set status = 'failed', result = null, error = 'Too many calls.', error_code = 'STEP_LIMIT'
  where id = $1`;

verifies(
  "reasoning.shown.console",
  "what a model thinks is folded, live, in the record and in the output",
  async () => {
    const gate = Promise.withResolvers<void>();
    const player = await scene.player(
      async (_, reply) => {
        reply.think(`They ask for the capital. ${"France is in Europe. ".repeat(40)}Its capital is **Paris**.`);
        await gate.promise;
        reply.say("Paris.");
        reply.finish();
      },
      { model: "gpt-6-luna", reasoning: { show: true } },
    );
    const { id } = await createTask(scene.api, { title: "Capital of France?", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "running");
    const page = await openRun(browser, scene, id, "?step=model:0");
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    const folded = inspector.getByText("Thinking", { exact: true });
    await folded.waitFor();
    await inspector.getByText("They ask for the capital.").waitFor();
    gate.resolve();
    await taskIn(scene.api, id, "completed");
    await inspector.getByText("Paris.", { exact: true }).waitFor();
    const strong = page.locator("strong", { hasText: "Paris" });
    expect(await strong.count()).toBe(0);
    await folded.click();
    await strong.waitFor();
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}?view=conversation`);
    await page.getByText("Thinking", { exact: true }).click();
    await strong.waitFor();
  },
);

verifies(
  "pages.token-kinds",
  "cached, written and reasoning tokens are shown at a run, its steps, in Compare, in Usage and on Home",
  async () => {
    const player = await scene.player(
      (_, reply) => {
        reply.say("Done.");
        reply.finish(undefined, { cached: 8, written: 2, reasoning: 5 });
      },
      { model: "gpt-6-luna", name: "Cached" },
    );
    const { id } = await createTask(scene.api, { title: "Cached", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "completed");
    const page = await openRun(browser, scene, id, "?step=model:0&tab=details");
    const used = "11 in (8 from the cache, 2 written to it), 7 out (5 reasoning)";
    await page.getByRole("complementary", { name: "Inspector" }).getByText(used).waitFor();
    await page.getByText("(8 from the cache, 2 written to it, 5 reasoning)", { exact: true }).waitFor();
    await page.getByTitle(used).waitFor({ state: "attached" });
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}?view=conversation`);
    await page.getByText("11 / 7 tokens, 8 from the cache").waitFor();

    await page.goto(`${scene.service.url}/w/my-workspace/runs/compare?a=${id}.1&b=${id}.1`);
    for (const line of ["From the cache 8 8 same", "Written to it 2 2 same", "Reasoning 5 5 same"]) {
      await page.getByRole("table", { name: "The two runs" }).getByRole("row", { name: line }).waitFor();
    }
    await page.goto(`${scene.service.url}/w/my-workspace`);
    await page.getByRole("region", { name: "Last 14 days" }).getByText("From the cache").first().waitFor();

    await page.goto(`${scene.service.url}/w/my-workspace/usage?of=kinds&by=agent`);
    const row = page.getByRole("table", { name: "Usage" }).getByRole("row", { name: "Cached 1" });
    await expect
      .poll(() => row.getByRole("cell").allTextContents())
      .toEqual(["Cached", "1", "11", "8", "2", "7", expect.any(String)]);
    for (const kind of ["From the cache", "Written to the cache", "Other prompt", "Reasoning", "Other completion"]) {
      await page.getByText(kind, { exact: true }).first().waitFor();
    }
    await page.waitForTimeout(1500);
  },
);
