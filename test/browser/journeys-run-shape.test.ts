import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../support/eventually.ts";
import { inTurns, saying } from "../support/providers/scripted-agents.ts";
import { createTeam, runIn, startRun } from "../support/teams.ts";
import { verifies } from "../support/verifies.ts";
import { createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { useBrowser } from "./browser.ts";
import { openScriptedScene } from "./scene.ts";
import type { ScriptedScene } from "./scene.ts";

const BRANCHES = 20;
const MINUTE_MS = 60_000;
/** The document never has more rows than this, even with many more steps. */
const MAX_ROWS = 60;

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene({ MODEL_ATTEMPTS: "3" });
});
afterAll(() => scene.stop());

verifies(
  "console.run.tries",
  "each try that failed has a hatched bar of its own, before the bar of the one that succeeded",
  async () => {
    const player = await scene.player((call, reply) => {
      if (call.nth <= 2) return reply.refuse(503, "Overloaded.", { "retry-after": "1" });
      reply.say("at last");
      // A bar is only drawn for what takes time.
      setTimeout(() => reply.finish(), 50);
    });
    const { id } = await createTask(scene.api, { title: "Patience", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "completed");
    const page = await browser.open(scene, `/runs/${id}?view=timeline`);
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
