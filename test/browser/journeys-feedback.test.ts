import { afterAll, beforeAll, expect } from "vitest";
import { callOf } from "../support/interactions.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { openRun, useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

const STORED =
  "select message_id is null as whole, rating, note, correction, via from feedback where run_id = $1 order by 1 desc";

verifies(
  "runs.feedback.console",
  "a run and a message are judged, the list shows and filters it, and it is taken back",
  async () => {
    const { id: agentId } = await createAgent(scene.api, { name: "Judged" });
    const { id } = await createTask(scene.api, { title: "Judge me", assigned_agent_id: agentId, description: QUICK });
    await taskIn(scene.api, id, "completed");
    const page = await openRun(browser, scene, id, "?step=model:0");
    const stored = () => sql(scene.service.databaseUrl, STORED, [id]);
    const whole = page.getByRole("region", { name: "Steps" }).getByRole("group", { name: "Feedback" });
    await whole.getByRole("button", { name: "Good answer" }).click();
    await whole.getByRole("button", { name: "Good answer", pressed: true }).waitFor();
    await whole.getByRole("button", { name: "Add a note" }).click();
    const dialog = page.getByRole("dialog", { name: "Feedback on this run" });
    await dialog.getByLabel("Note").fill("Just right.");
    await dialog.getByLabel("Corrected answer").fill("Hello, world");
    await dialog.getByRole("button", { name: "Save feedback" }).click();
    await whole.getByText("Just right.").waitFor();
    const message = page.getByRole("complementary", { name: "Inspector" }).getByRole("group", { name: "Feedback" });
    await message.getByRole("button", { name: "Bad answer" }).click();
    await message.getByRole("button", { name: "Bad answer", pressed: true }).waitFor();
    const ofRun = { whole: true, rating: "up", note: "Just right.", correction: "Hello, world", via: "console" };
    expect(await stored()).toEqual([ofRun, { whole: false, rating: "down", note: "", correction: "", via: "console" }]);

    await page.goto(`${scene.service.url}/w/my-workspace/runs`);
    await page.getByRole("img", { name: "Feedback: 1 good, 1 bad, 1 note" }).waitFor();
    await page.goto(`${scene.service.url}/w/my-workspace/runs?feedback=up`);
    await page.getByRole("link", { name: "Judge me" }).click();
    await message.or(whole).first().waitFor();
    await whole.getByRole("button", { name: "Good answer" }).click();
    await whole.getByRole("button", { name: "Good answer", pressed: false }).waitFor();
    expect((await stored())[0]).toEqual({ ...ofRun, rating: null });
  },
);

verifies("runs.feedback.console", "who has answered a question can judge the run on the same page", async () => {
  const { id: agentId } = await createAgent(scene.api, { name: "Asks", tools: ["request_approval"] });
  const description = callOf("request_approval", { title: "Refund?", description: "It is broken." });
  const { id } = await createTask(scene.api, { title: "Refund", assigned_agent_id: agentId, description });
  await taskIn(scene.api, id, "waiting_for_input");
  const page = await browser.newPage();
  await scene.signIn(page);
  await page.goto(`${scene.service.url}/r/${id}/answer`);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Good answer" }).click();
  await page.getByRole("button", { name: "Good answer", pressed: true }).waitFor();
  expect(await sql(scene.service.databaseUrl, STORED, [id])).toMatchObject([{ whole: true, rating: "up" }]);
});
