import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { verifies } from "../../support/verifies.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { sql } from "../../support/workspace.ts";
import { ENDLESS, createAgent, createTask, readTask, taskIn } from "../../support/work.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

const MANY = 250;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

function openAt(path: string): Promise<Page> {
  return browser.open(scene, path);
}

async function give(agentId: string, title: string, fields: object = {}): Promise<string> {
  const task = await createTask(scene.api, { title, assigned_agent_id: agentId, description: ENDLESS, ...fields });
  return task.id;
}

async function countOf(agentId: string, status: string): Promise<number> {
  const text = "select count(*)::integer as n from tasks where assigned_agent_id = $1 and status = $2";
  const [row] = z
    .array(z.object({ n: z.number() }))
    .parse(await sql(scene.service.databaseUrl, text, [agentId, status]));
  return row?.n ?? 0;
}

verifies(
  "console.stop.agent",
  "two clicks stop hundreds of queued and running tasks of an agent, and no other work",
  async () => {
    const { id: agentId } = await createAgent(scene.api, { name: "Runaway" });
    const { id: otherId } = await createAgent(scene.api, { name: "Bystander" });
    const running = await give(agentId, "Runs already");
    const other = await give(otherId, "Has nothing to do with it");
    const planned = await give(agentId, "Tomorrow", { scheduled_for: new Date(Date.now() + 86_400_000).toISOString() });
    await taskIn(scene.api, running, "running");
    await taskIn(scene.api, other, "running");
    const admin = consoleOf(scene.service, scene.service.keys.api);
    await admin.patch("/workspace", { paused: true });
    const numbers = Array.from({ length: MANY - 1 }, (_, index) => index + 1);
    for (let from = 0; from < numbers.length; from += 50) {
      await Promise.all(numbers.slice(from, from + 50).map((n) => give(agentId, `Task ${n}`)));
    }

    const page = await openAt(`/agents/${agentId}`);
    await page.getByRole("button", { name: "Stop all runs" }).click();
    const dialog = page.getByRole("dialog", { name: "Stop all runs of “Runaway”?" });
    await dialog.getByText("more than 200 open runs").waitFor();
    await dialog.getByRole("button", { name: "Stop all runs" }).click();
    await page.getByText(`${MANY} runs stopped.`, { exact: true }).waitFor();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Stop all runs" }).waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("content");

    await admin.patch("/workspace", { paused: false });
    await expect.poll(() => countOf(agentId, "cancelled")).toBe(MANY);
    expect((await readTask(scene.api, planned)).status).toBe("pending");
    expect((await readTask(scene.api, other)).status).toBe("running");
  },
);

verifies("console.stop.usage", "Usage shows what spends now, and stops it in two clicks", async () => {
  const { id: agentId } = await createAgent(scene.api, { name: "Spender", tools: ["wait", "request_approval"] });
  const ids = [await give(agentId, "First"), await give(agentId, "Second")];
  for (const id of ids) await taskIn(scene.api, id, "running");
  const asking = await give(agentId, "Third", { description: '[[tool:request_approval {"title":"Go on?"}]]' });
  await taskIn(scene.api, asking, "waiting_for_input");
  const config = { steps: [{ agent_id: agentId, instructions: ENDLESS }] };
  const team = await createTeam(scene.api, { name: "Night shift", config });
  const { id: runId } = await startRun(scene.api, team.id);
  await runIn(scene.api, runId, "running");

  const page = await openAt("/usage");
  const now = page.getByRole("region", { name: "Running now" });
  await now.getByRole("listitem").filter({ hasText: "Spender" }).getByText("2 runs, 1 needs an answer").waitFor();
  await now.getByRole("button", { name: "Stop all runs of Night shift" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop all runs" }).click();
  await page.getByText("1 run stopped.", { exact: true }).waitFor();
  await runIn(scene.api, runId, "cancelled");

  await page.getByRole("button", { name: "Cancel run First" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
  await now.getByText("1 run, 1 needs an answer").waitFor();
  expect((await readTask(scene.api, ids[0] ?? "")).status).toBe("cancelled");

  await now.getByRole("button", { name: "Stop all runs of Spender" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop all runs" }).click();
  await page.getByText("2 runs stopped.", { exact: true }).waitFor();
  await now.getByText("Spender").waitFor({ state: "detached" });
  await expect.poll(() => countOf(agentId, "cancelled")).toBe(3);
});
