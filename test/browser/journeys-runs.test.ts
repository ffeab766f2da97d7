import { afterAll, beforeAll, expect } from "vitest";
import { consoleOf, fieldsOf } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { inTurns, saying } from "../support/providers/scripted-agents.ts";
import { createTeam, runIn, startRun } from "../support/teams.ts";
import { verifies } from "../support/verifies.ts";
import { createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { askIn } from "./ask-in-scene.ts";
import { DESKTOP, useBrowser } from "./browser.ts";
import { openScriptedScene } from "./scene.ts";
import type { ScriptedScene } from "./scene.ts";

const BRANCHES = 20;
const MINUTE_MS = 60_000;
/** The document never has more rows than this, even with many more steps. */
const MAX_ROWS = 60;

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene({ MODEL_ATTEMPTS: "1" });
});
afterAll(() => scene.stop());

verifies(
  ["pages.run-compare", "run-page.steps.digests"],
  "a fork with another model is compared with its original: only what differs is shown",
  async () => {
    const player = await scene.player(
      inTurns(
        (reply) => reply.callTool("current_time", { time_zone: "Europe/Rome" }, "call_1"),
        (reply, call) =>
          reply.say(call.body.model === "gpt-4o" ? "It is forty-two, of course." : "It is 42, of course."),
      ),
      { tools: ["current_time"] },
    );
    const { id } = await createTask(scene.api, { title: "Multiply", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "completed");
    const answer = await consoleOf(scene.service, scene.service.keys.api).post(`/runs/${id}/fork`, {
      from_step: 1,
      changes: { model: "gpt-4o-mini" },
    });
    const fork = String(fieldsOf(answer)["id"]);
    await taskIn(scene.api, fork, "completed");

    const page = await browser.open(scene, `/runs/${fork}`);
    await page.getByRole("link", { name: "Compare with the original" }).click();
    await page.waitForURL(/compare\?a=.+&b=.+\.1/);
    await page.getByRole("table", { name: "The two runs" }).waitFor();
    await page.getByRole("button", { name: "2 equal steps, show" }).waitFor();
    const pair = page.getByRole("region", { name: "Model call 2" });
    await pair.getByRole("button", { name: /Model call 2/ }).click();
    await pair.locator("pre del").waitFor({ state: "attached" });
    await expect.poll(() => pair.locator("pre del").allTextContents()).toEqual(["forty-two"]);
    await expect.poll(() => pair.locator("pre ins").allTextContents()).toEqual(["42"]);
    await pair.getByRole("link", { name: "Prompt" }).click();
    await page.waitForURL(/tab=prompt/);
    await expect.poll(async () => (await pair.locator("pre ins").allTextContents()).join("")).toMatch(/mini$/);
    await pair.getByRole("link", { name: "Open in A" }).click();
    await page.waitForURL((url) => url.pathname.endsWith(id) && url.searchParams.get("step") === "model:1");
    await page.goBack();
    await page.getByRole("button", { name: "2 equal steps, show" }).click();
    await page.getByRole("region", { name: "Model call 1" }).getByText("same", { exact: true }).first().waitFor();

    // A question may be of any run: the heads are read again, but no steps, because the runs have not gone on.
    const reads: string[] = [];
    page.on("request", (request) => request.url().includes("/steps?") && reads.push(request.url()));
    const head = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(`/runs/${fork}`));
    await askIn(scene, "Go on?");
    await head;
    expect(reads).toEqual([]);
  },
);

verifies("pages.run-compare", "a comparison follows a run that is in progress", async () => {
  const [second, third] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const slow = await scene.player(
    inTurns(
      (reply) => reply.callTool("current_time", {}, "call_1"),
      async (reply) => {
        await second.promise;
        reply.callTool("current_time", {}, "call_2");
      },
      async () => third.promise,
    ),
    { tools: ["current_time"] },
  );
  const quick = await scene.player(saying("Done."));
  const done = await createTask(scene.api, { title: "Be quick", assigned_agent_id: quick.id });
  await taskIn(scene.api, done.id, "completed");
  const running = await createTask(scene.api, { title: "Take your time", assigned_agent_id: slow.id });
  await taskIn(scene.api, running.id, "running");
  const page = await browser.open(scene, `/runs/compare?a=${done.id}.1&b=${running.id}.1`);
  await page.getByRole("table", { name: "The two runs" }).waitFor();
  second.resolve(undefined);
  await page.getByRole("region", { name: "Model call 3" }).getByText("only in B").waitFor();
  third.resolve(undefined);
});

verifies(
  ["console.run.branches", "console.run.words"],
  "20 branches are one row that opens to a few; a cancel on the page stops all of them permanently",
  async () => {
    const until = Promise.withResolvers<undefined>();
    const id = await startBranches(until.promise);
    const page = await browser.open(scene, `/runs/${id}`);
    const rows = page.getByRole("treegrid", { name: "Steps" }).getByRole("row");
    const group = rows.filter({ hasText: `${BRANCHES} running` });
    await group.waitFor();
    const words = group.getByText(/^80 words, [\d.]+\/s$/);
    await words.waitFor();
    const [counted, rate] = await Promise.all([group.getByText(`0/${BRANCHES}`).boundingBox(), words.boundingBox()]);
    expect(rate?.x).toBeGreaterThanOrEqual((counted?.x ?? Infinity) + (counted?.width ?? 0));
    await expect.poll(() => rows.count()).toBeLessThan(BRANCHES);
    // Beside the column of models there is no room for all of it either.
    await page.setViewportSize({ ...DESKTOP, width: 1_700 });
    await page.getByRole("columnheader", { name: "Model" }).waitFor();
    await group.getByText(`0/${BRANCHES}`).waitFor();
    await page.setViewportSize(DESKTOP);
    await group.click();
    await page
      .getByRole("row", { selected: true })
      .filter({ hasText: `${BRANCHES} running` })
      .waitFor();
    await page.keyboard.press("ArrowRight");
    await eventually("the branches are shown", async () => (await rows.count()) > BRANCHES);
    await expect.poll(() => rows.count()).toBeLessThanOrEqual(MAX_ROWS);
    await rows.getByText(`Branch 0 (1 of ${BRANCHES})`, { exact: true }).waitFor();
    await rows
      .getByText(/^4 words, [\d.]+\/s$/)
      .nth(9)
      .waitFor();

    await page.getByRole("link", { name: "Conversation" }).click();
    await page.getByRole("heading", { name: `Opinions on all of it: Branch 0 (1 of ${BRANCHES})` }).waitFor();
    await page.getByRole("link", { name: "Timeline" }).click();

    await page.getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Cancelled", { exact: true }).waitFor();
    await Promise.all(scene.provider.calls.slice(-BRANCHES).map(({ gone }) => gone));
    const asked = scene.provider.calls.length;
    until.resolve(undefined);
    await page.reload();
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Cancelled", { exact: true }).waitFor();
    await rows.filter({ hasText: `${BRANCHES} cancelled` }).waitFor();
    await runIn(scene.api, id, "cancelled");
    expect(scene.provider.calls.length).toBe(asked);
    await expect
      .poll(() => sql(scene.service.databaseUrl, STORED, [id]))
      .toEqual([{ status: "cancelled", output: null, ended: 1 }]);
  },
  2 * MINUTE_MS,
);

/** How a run stands, and how many model calls of it have ended. */
const STORED = `
  select status, output,
    (select count(*)::int from run_steps s where s.run_id = r.id and s.key like '%model:%') as ended
  from team_runs r where id = $1`;

/** Starts a run whose second step has 20 branches, each of which speaks and then waits. All do when it returns. */
async function startBranches(until: Promise<undefined>): Promise<string> {
  let speaking = 0;
  const branch = inTurns(async (reply) => {
    speaking += 1;
    reply.say("Words of a branch.");
    await until;
  });
  const agents = await Promise.all(
    Array.from({ length: BRANCHES }, async (_, n) => {
      return (await scene.player(branch, { name: `Branch ${n}` })).id;
    }),
  );
  const first = await scene.player(saying("begin"), { name: "First" });
  const team = await createTeam(scene.api, {
    config: {
      steps: [{ agent_id: first.id }, { type: "fan_out", step_name: "Opinions on all of it", parallel_agents: agents }],
    },
  });
  const { id } = await startRun(scene.api, team.id);
  await eventually("all branches speak", () => Promise.resolve(speaking === BRANCHES), MINUTE_MS);
  return id;
}
