import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { openLiveScene, setHidden } from "../live-scene.ts";
import type { LiveScene } from "../live-scene.ts";

const MINUTE_MS = 60_000;
const HIDDEN_MS = 15_000;

let scene: LiveScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openLiveScene();
});
afterAll(() => scene.service.stop());

verifies("live.lists", "rows change in place, a pill announces new ones, questions are counted", async () => {
  const agent = await createAgent(scene.api, { tools: ["request_approval"] });
  const first = await createTask(scene.api, { title: "First in the list" });
  const page = await browser.open(scene, "/runs");
  const row = page.getByRole("row").filter({ hasText: "First in the list" });
  await row.getByRole("img", { name: "Not started" }).waitFor();
  const description = callOf("request_approval", { title: "Go on?", timeoutMs: 10 * MINUTE_MS });
  await scene.api.patch(`/api-tasks?id=${first.id}`, { description, assigned_agent_id: agent.id });
  await row.getByRole("img", { name: "Needs an answer" }).waitFor();
  await page.getByRole("link", { name: "Questions 1 open" }).waitFor();
  await eventually("the title counts it", async () => (await page.title()).startsWith("(1) "));

  for (const n of [1, 2, 3, 4]) await createTask(scene.api, { title: `New task ${n}` });
  await page.getByRole("button", { name: "4 new" }).click();
  await page.getByRole("link", { name: "New task 4" }).waitFor();
  await page.locator("#content:focus").waitFor();

  const interaction = z.object({ interaction: z.object({ interactionId: z.string() }) });
  const { interactionId } = interaction.parse((await scene.api.get(`/api-tasks?id=${first.id}`)).body).interaction;
  await answer(first.id, interactionId);
  await row.getByRole("img", { name: "Completed" }).waitFor();
  await eventually("nothing is counted", async () => !(await page.title()).startsWith("("));
});

verifies(
  ["live.one-stream", "live.session", "live.rebuilt"],
  "a tab has one stream while it is visible and signed in; it names a newer build",
  async () => {
    const task = await createTask(scene.api, { title: "Seen again" });
    const page = await browser.newSeparatePage({ mayFail: ["/"] });
    await page.clock.install();
    await scene.signIn(page);
    await page.goto(`${scene.service.url}/w/my-workspace/runs`);
    await scene.hasStreams(1);
    await page.goto(`${scene.service.url}/w/my-workspace/runs/${task.id}`);
    await page.getByText("Not started").first().waitFor();
    await scene.hasStreams(1);
    await page.getByRole("link", { name: "Runs", exact: true }).first().click();
    const row = page.getByRole("row").filter({ hasText: "Seen again" });
    await row.getByRole("img", { name: "Not started" }).waitFor();
    await scene.hasStreams(1);

    await setHidden(page, true);
    await page.clock.fastForward(HIDDEN_MS);
    await scene.hasStreams(0);
    expect((await scene.api.patch(`/api-tasks?id=${task.id}`, { status: "cancelled" })).status).toBe(200);
    const body = 'event: hello\ndata: {"build":"newer"}\n\n';
    await page.route("**/console/api/live*", (route) => route.fulfill({ contentType: "text/event-stream", body }), {
      times: 1,
    });
    await setHidden(page, false);
    await row.getByRole("img", { name: "Cancelled" }).waitFor();
    await page.getByText("A new version is available.").waitFor();
    await scene.hasStreams(1);

    await sql(scene.service.databaseUrl, "delete from sessions");
    await scene.hasStreams(0);
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("Password").fill("correct horse battery");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await scene.hasStreams(1);
  },
);

verifies("live.newer-stream", "the events of a run come also when the stream before opens late", async () => {
  const agent = await createAgent(scene.api, { model: "demo" });
  const { id } = await createTask(scene.api, {
    title: "Late",
    description: "[[say:every word]]",
    assigned_agent_id: agent.id,
  });
  await taskIn(scene.api, id, "completed");
  const page = await browser.newPage({ mayFail: ["/console/api/live"] });
  await scene.signIn(page);
  const [newer, earlier] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  await page.route("**/console/api/live*", async (route) => {
    const follows = route.request().url().includes("follow=");
    if (follows) newer.resolve(undefined);
    await (follows ? earlier : newer).promise;
    await route.continue();
  });
  page.on("response", (response) => {
    if (!response.url().includes("follow=") && response.url().includes("/console/api/live?"))
      earlier.resolve(undefined);
  });
  await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}?view=conversation`);
  await page.getByRole("region", { name: "Steps" }).getByText("every word").waitFor();
});

async function answer(taskId: string, interactionId: string): Promise<void> {
  const response = await fetch(`${scene.service.url}/console/api/tasks/${taskId}/answer`, {
    method: "POST",
    headers: { "X-API-Key": scene.service.keys.api, "Content-Type": "application/json" },
    body: JSON.stringify({ interactionId, approved: true }),
  });
  expect(response.status).toBe(200);
}
