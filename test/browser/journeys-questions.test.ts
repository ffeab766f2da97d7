import { afterAll, beforeAll, expect } from "vitest";
import { verifies } from "../support/verifies.ts";
import { taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { GRACE, askIn, giveGrace } from "./ask-in-scene.ts";
import { useBrowser } from "./browser.ts";
import { openScene, signInOn } from "./scene.ts";
import type { Scene } from "./scene.ts";

const MINUTE_MS = 60_000;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies("questions.first", "of two people who answer, the second one sees who was first", async () => {
  await giveGrace(scene, "member");
  const { task, id } = await askIn(scene, "Refund the lamp?");
  // What the page of the second person asks for while it is offline depends on when the first answer arrives.
  const ada = await browser.newPage();
  const grace = await browser.newPage({ mayFail: [`/tasks/${task}/answer`, "ERR_INTERNET_DISCONNECTED"] });
  await scene.signIn(ada);
  await signInOn(grace, scene.service.url, GRACE);
  for (const page of [ada, grace]) {
    await page.goto(`${scene.service.url}/w/my-workspace/questions?id=${id}`);
    await page.getByRole("button", { name: "Approve" }).waitFor();
  }
  await grace.context().setOffline(true);
  await ada.keyboard.press("y");
  await ada.keyboard.press("Enter");
  await ada
    .getByRole("status")
    .getByText(/^Answered by you, \d\d:\d\d$/)
    .waitFor();
  expect(await ada.evaluate("document.activeElement.id")).toBe("content");
  await grace.context().setOffline(false);
  await grace
    .getByRole("status")
    .getByText(/^Answered by Owner, \d\d:\d\d$/)
    .waitFor();
  await grace.getByRole("link", { name: "Answered", exact: true }).click();
  await grace.getByRole("list", { name: "Answered questions" }).getByText("Refund the lamp?").waitFor();
});

verifies(
  "questions.deadline",
  "the last minute is announced; after the deadline the page shows the outcome",
  async () => {
    const page = await browser.newPage();
    await scene.signIn(page);
    const { task } = await askIn(scene, "Before it is too late?", { timeoutMs: MINUTE_MS });
    await page.goto(`${scene.service.url}/w/my-workspace/questions`);
    await page.getByRole("heading", { name: "Before it is too late?" }).waitFor();
    await page.getByRole("alert").getByText("left to answer").waitFor();
    await sql(scene.service.databaseUrl, "update task_questions set deadline = now() where subject_id = $1", [task]);
    await taskIn(scene.api, task, "failed");
    await page
      .getByRole("status")
      .getByText(/^No answer in time, \d\d:\d\d$/)
      .waitFor();
    await page.getByText("The run is now").getByText("Failed").waitFor();
    await page.getByRole("link", { name: "Expired", exact: true }).click();
    await page.getByRole("list", { name: "Expired questions" }).getByText("Before it is too late?").waitFor();

    await page.goto(`${scene.service.url}/w/my-workspace/runs/${task}`);
    const failure = page.getByRole("region", { name: "Failed at Before it is too late?" });
    await failure.getByText('The question "Before it is too late?" was not answered in time.').waitFor();
    await page
      .getByRole("row", { name: /^Question Before it is too late\?, Failed/ })
      .locator('[data-bar="question"]')
      .waitFor();
    const inspector = page.getByRole("complementary", { name: "Inspector" });
    await inspector.getByRole("heading", { name: "Before it is too late?", level: 3 }).waitFor();
    await inspector.getByText("Not answered", { exact: true }).waitFor();
    await failure.getByRole("link", { name: "Show expired questions" }).click();
    await page.getByRole("list", { name: "Expired questions" }).getByText("Before it is too late?").waitFor();
  },
);
