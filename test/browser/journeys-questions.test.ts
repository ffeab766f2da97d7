import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { eventually } from "../support/eventually.ts";
import { callOf } from "../support/interactions.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { useBrowser } from "./browser.ts";
import { openScene, signInOn } from "./scene.ts";
import type { Scene } from "./scene.ts";

const MINUTE_MS = 60_000;
const GRACE = { email: "grace@example.org", password: "another good password", name: "Grace" } as const;

const waiting = z.looseObject({ interaction: z.looseObject({ interactionId: z.string() }) });

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies("questions.first", "of two people who answer, the second one sees who was first", async () => {
  await join("member");
  const { task, id } = await ask("Refund the lamp?");
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
    const { task } = await ask("Before it is too late?", { timeoutMs: MINUTE_MS });
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
    const failure = page.getByRole("region", { name: "Failed at request_approval" });
    await failure.getByText('The question "Before it is too late?" was not answered in time.').waitFor();
    await page.getByText("Not answered", { exact: true }).waitFor();
    await failure.getByRole("link", { name: "Show expired questions" }).click();
    await page.getByRole("list", { name: "Expired questions" }).getByText("Before it is too late?").waitFor();
  },
);

/** An agent's open question. */
async function ask(
  title: string,
  { timeoutMs = 60 * MINUTE_MS, name = "Asker", context = "", tool = "request_approval" } = {},
) {
  const agent = await createAgent(scene.api, { name, tools: [tool] });
  const description = callOf(tool, { title, description: context, timeoutMs });
  const task = await createTask(scene.api, { title: "Some work", description, assigned_agent_id: agent.id });
  const id = await eventually("it asks", async () => {
    const read = waiting.safeParse((await scene.api.get(`/api-tasks?id=${task.id}`)).body);
    return read.data?.interaction.interactionId;
  });
  return { task: task.id, agent: agent.id, id };
}

/** Gives Grace, who may have an account already, a role in the workspace. */
async function join(role: string): Promise<string> {
  await fetch(`${scene.service.url}/auth/sign-up`, {
    method: "POST",
    body: JSON.stringify(GRACE),
    headers: { "Content-Type": "application/json" },
  });
  const text = `
    insert into members (workspace_id, user_id, role)
    select w.id, u.id, $2 from users u, workspaces w where u.email = $1 and w.slug = 'my-workspace'
    on conflict (workspace_id, user_id) do update set role = excluded.role returning user_id`;
  const [row] = await sql<{ user_id: string }>(scene.service.databaseUrl, text, [GRACE.email, role]);
  // Grace has no other workspace, so that signing in leads to this one.
  const others =
    "delete from members where user_id = $1 and workspace_id <> (select id from workspaces where slug = 'my-workspace')";
  await sql(scene.service.databaseUrl, others, [row?.user_id]);
  return row?.user_id ?? "";
}
