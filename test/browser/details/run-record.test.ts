import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { makeBudget } from "../../support/budgets.ts";
import { eventually } from "../../support/eventually.ts";
import { inTurns, saying } from "../../support/providers/scripted-agents.ts";
import type { Move } from "../../support/providers/scripted-agents.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { DESKTOP, openRun, useBrowser } from "../browser.ts";
import { openScriptedScene } from "../scene.ts";
import type { ScriptedScene } from "../scene.ts";

/** Two lines of text. */
const LINES_PX = 40;

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene();
});
afterAll(() => scene.stop());

const calls =
  (name: string, args: object): Move =>
  (reply) =>
    reply.callTool(name, args);

/** Which texts in the rows of steps are cut. */
const CUT = `
  [...document.querySelectorAll("[role=treegrid] .truncate")]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ textContent }) => textContent)`;

/** Gives a completed task a first execution whose process died. */
const DIED = `
  insert into run_executions (run_id, attempt, fence, workspace_id, process, began_at, ended_at, outcome)
  select run_id, attempt, 0, workspace_id, 'host-a:1', began_at - interval '10 s', began_at - interval '4.6 s', 'lost'
  from run_executions where run_id = $1`;

verifies(
  "console.run.tries",
  "each try that failed has a hatched bar of its own, before the bar of the one that succeeded",
  async () => {
    const isSeen = Promise.withResolvers<void>();
    const player = await scene.player(async (call, reply) => {
      if (call.nth <= 2) return reply.refuse(503, "Overloaded.", { "retry-after": "1" });
      await isSeen.promise;
      reply.say("at last");
      // A bar is only drawn for what takes time.
      setTimeout(() => reply.finish(), 50);
    });
    const { id } = await createTask(scene.api, { title: "Patience", assigned_agent_id: player.id });
    const page = await browser.open(scene, `/runs/${id}?view=timeline`);
    await page.getByText("Try 3 of 4 of the model call: Overloaded.").waitFor();
    isSeen.resolve();
    await taskIn(scene.api, id, "completed");
    const row = page.getByRole("row", { name: "Model call 1" });
    const bars = row.locator("[data-bar]");
    await eventually("the tries have their bars", async () => {
      const looks = await Promise.all((await bars.all()).map((bar) => bar.getAttribute("data-bar")));
      const retries = looks.filter((look) => look === "retry").length;
      return retries === 2 && looks.includes("wait") && looks.at(-1) === "stream";
    });
    await row.click();
    await page.getByRole("link", { name: "Tries" }).click();
    await page.getByText("Failed with 503").nth(1).waitFor();
  },
);

verifies(
  ["console.run.score", "console.run.takeover", "console.run.export"],
  "the page of an orchestrator's run has scores, takeovers, an export and the operator's log",
  async () => {
    const worker = await scene.player(saying("It rains."), { name: "Writer" });
    const brain = await scene.player(
      inTurns(
        calls("delegate_to_worker", { agent_id: worker.id, instruction: "Describe rain." }),
        calls("accept_result", { delegation_id: "d1", score: 0.9 }),
        calls("final_answer", { output: "Rain." }),
      ),
    );
    const config = { brain_agent_id: brain.id, worker_agent_ids: [worker.id] };
    const team = await createTeam(scene.api, { mode: "orchestrator", config });
    const { id } = await startRun(scene.api, team.id, "Weather");
    await runIn(scene.api, id, "completed");
    await sql(scene.service.databaseUrl, DIED, [id]);
    const desk = consoleOf(scene.service, scene.service.keys.api);
    await desk.patch("/workspace", { log_url: "https://logs.example/?q={run_id}" });
    const page = await browser.open(scene, `/runs/${id}`);
    const row = page.getByRole("row", { name: /d1: Writer/ });
    await row.getByText("score 0.9").first().waitFor();
    for (const width of [1_480, 1_700]) {
      await page.setViewportSize({ ...DESKTOP, width });
      await expect.poll(() => page.evaluate(CUT)).toEqual([]);
    }
    await page.getByText(/Process died, resumed 4\.6 s later on .+\. No finished step was repeated\./).waitFor();
    await page.getByRole("button", { name: "Show executions" }).click();
    await page.getByText("host-a:1").waitFor();
    const menu = page.getByRole("button", { name: "More actions" });
    await menu.click();
    await page.getByRole("menuitem", { name: "Open the log" }).waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Export as JSON" }).click();
    const file = z
      .looseObject({ id: z.string(), steps: z.array(z.looseObject({ key: z.string() })) })
      .parse(JSON.parse(await readFile(await (await saved).path(), "utf8")));
    expect([file.id, file.steps[0]?.key]).toEqual([id, "brain"]);
    expect((await saved).suggestedFilename()).toBe(`run-${id}.json`);
  },
);

verifies("console.run.cap", "the cap of a run that exceeded it is raised on its page", async () => {
  const player = await scene.player(saying("Done."), { max_tokens: 10 });
  const fields = { title: "Capped", assigned_agent_id: player.id, budget: { max_tokens: 1 } };
  const { id } = await createTask(scene.api, fields);
  await taskIn(scene.api, id, "failed");
  const page = await browser.newPage();
  await scene.signIn(page);
  // The steps come last, and the step at which it failed is not opened in place of the budgets.
  const isAsked = Promise.withResolvers<undefined>();
  await page.route(`**/runs/${id}/steps*`, async (route) => {
    await isAsked.promise;
    await route.continue();
  });
  await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}`);
  await page.getByText("of 1", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Raise the budget" }).click();
  await page.getByText("0 tokens of 1 token").waitFor();
  isAsked.resolve(undefined);
  await page.getByRole("button", { name: "Go to step" }).waitFor();
  await page.getByRole("button", { name: "Change" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Go to step" }).waitFor();
  await page.getByRole("button", { name: "Change" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Limit in tokens").fill("100000");
  await dialog.getByRole("button", { name: "Save budget" }).click();
  await page.getByText("0 tokens of 100,000 tokens").waitFor();
  await page.getByRole("button", { name: "Retry from step" }).last().click();
  await page.waitForURL((url) => !url.pathname.includes(id));
  const retried = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await taskIn(scene.api, retried, "completed")).toMatchObject({ result: "Done." });
});

verifies("console.run.budget-wait", "a run that waits for a budget says why, also after a reload", async () => {
  const holding = Promise.withResolvers<undefined>();
  const player = await scene.player(
    async (call, reply) => {
      if (call.nth === 1 && call.task === "Holds the budget") await holding.promise;
      reply.say("Done.");
      reply.finish();
    },
    { max_tokens: 100 },
  );
  const desk = consoleOf(scene.service, scene.service.keys.api);
  await makeBudget(desk, { scope: "agent", target_id: player.id, period: "total", max_tokens: 250 });
  const first = await createTask(scene.api, { title: "Holds the budget", assigned_agent_id: player.id });
  await expect.poll(() => player.calls().length).toBe(1);
  const { id } = await createTask(scene.api, { title: "Waits for it", assigned_agent_id: player.id });
  const page = await openRun(browser, scene, id);
  const row = page.getByRole("row", { name: "Model call 1, Running, waits for a budget" });
  const reason = /The agent's total budget of 250 tokens can't cover the next model call .* reserved by calls/;
  for (const isAgain of [false, true]) {
    if (isAgain) await page.reload();
    await row.locator('[data-bar="wait"]').waitFor();
    await page.getByRole("region", { name: "Steps" }).getByText(reason).waitFor();
    await page.getByRole("complementary", { name: "Inspector" }).getByText(reason).waitFor();
  }
  holding.resolve(undefined);
  await taskIn(scene.api, first.id, "completed");
  await taskIn(scene.api, id, "completed");
  await page.getByText("Completed", { exact: true }).waitFor();
  await page.getByText(reason).first().waitFor({ state: "detached" });
});

verifies("console.run.cancelled", "a run is cancelled by its keys, and retried from where it stopped", async () => {
  let isHeld = true;
  const player = await scene.player(
    async (_, reply) => {
      if (isHeld) return new Promise<void>(() => {});
      reply.say("Done.");
      reply.finish();
    },
    { name: "Held" },
  );
  const { id } = await createTask(scene.api, { title: "Held", assigned_agent_id: player.id });
  await taskIn(scene.api, id, "running");
  const page = await browser.open(scene, `/runs/${id}`);
  await page.getByRole("row", { name: /Model call 1/ }).waitFor();
  await page.keyboard.press("x");
  await page.getByRole("dialog").getByText("stops at once, with Model call 1.").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Cancelled by").waitFor();
  await page.getByText("Stopped before its reply was complete.").waitFor();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Run again" }).click();
  await page.getByRole("button", { name: "Attempt 2 of 2" }).click();
  await page.getByRole("menuitemradio", { name: "Attempt 1" }).click();
  await page.getByRole("button", { name: "Attempt 1 of 2" }).waitFor();
  expect(await page.getByRole("button", { name: /^(Run again|Cancel run)$/ }).count()).toBe(0);
  await scene.api.patch(`/api-tasks?id=${id}`, { status: "cancelled" });
  await page.getByRole("button", { name: "Run again" }).waitFor();
  await page.getByRole("button", { name: "Attempt 1 of 2" }).click();
  await page.getByRole("menuitemradio", { name: "Attempt 2" }).click();
  isHeld = false;
  await page.getByRole("button", { name: "Retry from step" }).last().click();
  await page.waitForURL((url) => url.pathname.includes("/runs/") && !url.pathname.includes(id));
  const retried = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await taskIn(scene.api, retried, "completed")).toMatchObject({ result: "Done." });
});

verifies(
  "console.run.purged",
  "after the retention, every view of a failed run says so once, and the run can only be run again",
  async () => {
    const agent = await createAgent(scene.api, { model: "demo", tools: ["current_time"] });
    const description = "[[tool:current_time {}]]\n[[fail:no luck]]";
    const { id } = await createTask(scene.api, { title: "Old", description, assigned_agent_id: agent.id });
    await taskIn(scene.api, id, "failed");
    await sql(scene.service.databaseUrl, "delete from run_steps where run_id = $1", [id]);
    await sql(scene.service.databaseUrl, "delete from task_events where log_id = $1", [id]);
    await sql(scene.service.databaseUrl, "delete from task_event_pages where log_id = $1", [id]);
    const page = await browser.open(scene, `/runs/${id}`);
    for (const view of ["Timeline", "List", "Conversation", "Events"]) {
      await page.getByRole("link", { name: view, exact: true }).click();
      await page.getByRole("heading", { name: "Steps deleted" }).waitFor();
      expect(await page.getByText(/deleted/).count()).toBe(2);
    }
    await page.getByText("Its steps are deleted: run it again.").waitFor();
    await page.getByText("MODEL_ERROR").waitFor();
    expect(await page.getByRole("button", { name: "Retry from step" }).count()).toBe(0);
    await page.getByRole("button", { name: "Run again" }).waitFor();
  },
);

verifies("console.run.purged", "after the retention, the page of a team's run has the cost of each turn", async () => {
  const writer = await scene.player(
    (_, reply) => {
      reply.say("One");
      reply.finish(undefined, { cached: 8, written: 2, reasoning: 5 });
    },
    { name: "Writer", model: "gpt-6-luna", temperature: null },
  );
  const config = { steps: [{ agent_id: writer.id }] };
  const team = await createTeam(scene.api, { mode: "pipeline", config });
  const { id } = await startRun(scene.api, team.id, "Old");
  await runIn(scene.api, id, "completed");
  for (const table of ["run_steps where run_id", "task_events where log_id", "task_event_pages where log_id"]) {
    await sql(scene.service.databaseUrl, `delete from ${table} = $1`, [id]);
  }
  const page = await browser.open(scene, `/runs/${id}`);
  await page.getByText("The outcome and the cost of each turn remain.").waitFor();
  const turn = page.getByRole("table", { name: "Cost of each turn" }).getByRole("row", { name: /Step 1/ });
  await turn.getByText("Writer").waitFor();
  for (const tokens of ["18", "8", "2", "5"]) await turn.getByText(tokens, { exact: true }).waitFor();
  const cost = await turn.getByRole("cell").last().locator("span").boundingBox();
  expect(cost?.height).toBeLessThan(LINES_PX);
});
