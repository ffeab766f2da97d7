import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { joinAs, openScene, openWorkspace } from "../scene.ts";
import type { Scene } from "../scene.ts";

const REFUSED = { mayFail: ["/console/api/", "/functions/v1/", "/auth/", "not a member of any"] };
const MEMBER = "member@example.org";
const people = z.array(z.looseObject({ user_id: z.string(), email: z.string() }));

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies("console.gone.record", "a run or an agent that is deleted elsewhere is no longer shown", async () => {
  const agent = await createAgent(scene.api, { name: "Clerk" });
  const task = await createTask(scene.api, { title: "Sort", description: QUICK, assigned_agent_id: agent.id });
  await taskIn(scene.api, task.id, "completed");
  const page = await browser.open(scene, `/runs/${task.id}`, REFUSED);
  await page.getByRole("heading", { name: "Sort", level: 1 }).waitFor();
  expect((await scene.api.delete(`/api-tasks?id=${task.id}`)).status).toBe(204);
  await page.getByRole("heading", { name: "Run deleted" }).waitFor();
  await page.getByText("It was deleted since you opened this page.").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Runs" }).last().click();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();

  await page.goto(`${scene.service.url}/w/my-workspace/agents/${agent.id}`);
  await page.getByRole("heading", { name: "Clerk" }).waitFor();
  expect((await scene.api.delete(`/api-agents?id=${agent.id}`)).status).toBe(204);
  await page.getByRole("heading", { name: "Agent deleted" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Agents" }).last().click();
  await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
});

verifies("console.gone.member", "who is removed from a workspace is led to the others, or signs out", async () => {
  const desk = consoleOf(scene.service, scene.service.keys.api);
  const page = await browser.newPage(REFUSED);
  await joinAs(scene, page, "member");
  const { slug } = await openWorkspace(scene, "Second office");
  const join =
    "insert into members (workspace_id, user_id, role) select w.id, u.id, 'member' from workspaces w, users u where w.slug = $1 and u.email = $2";
  await sql(scene.service.databaseUrl, join, [slug, MEMBER]);
  await page.goto(`${scene.service.url}/w/my-workspace/runs`);
  await page.getByRole("heading", { name: "No runs yet" }).or(page.getByRole("grid")).first().waitFor();
  const member = people.parse((await desk.get("/members")).body).find(({ email }) => email === MEMBER);
  expect((await desk.delete(`/members/${member?.user_id}`)).status).toBe(204);
  await page.getByRole("heading", { name: "You no longer have access to My workspace" }).waitFor();
  await page.getByRole("link", { name: "Open Second office" }).click();
  await page.waitForURL(`**/w/${slug}`);

  await sql(scene.service.databaseUrl, "delete from members using users u where user_id = u.id and u.email = $1", [
    MEMBER,
  ]);
  await page.reload();
  await page.getByText("This account is not a member of any workspace.").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
});
