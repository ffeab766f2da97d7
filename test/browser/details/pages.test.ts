import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { FAILING, QUICK, createAgent, createTask, taskIn, taskInState } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { joinAs, openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

const record = z.looseObject({ id: z.string() });
const trigger = record.extend({ url: z.string() });
/** What the eye does not see; a part that makes way for another one is at 0.1 and more. */
const MAX_SHIFT = 0.02;
const MANY = `
  with w as (select id from workspaces), a as (
    insert into agents (id, workspace_id, name, model, provider)
    select gen_random_uuid(), w.id, 'Clerk', 'demo', 'demo' from w returning id, workspace_id),
  b as (
    insert into budgets (id, workspace_id, scope, target_id, period, max_usd, on_breach)
    select gen_random_uuid(), w.id, 'agent', gen_random_uuid(), 'day', 5, 'stop' from w, generate_series(1, 201))
  insert into tasks (id, workspace_id, title, status, assigned_agent_id, started_at)
  select gen_random_uuid(), a.workspace_id, 'Letter', 'running', a.id, now() from a, generate_series(1, 201)`;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

const open = (page: Page, path: string) => page.goto(`${scene.service.url}/w/my-workspace${path}`);
const desk = () => consoleOf(scene.service, scene.service.keys.api);

verifies("console.details.steady", "nothing on Usage shifts when its budgets load last", async () => {
  for (const period of ["day", "month", "total"]) {
    expect((await desk().post("/budgets", { scope: "workspace", period, max_usd: 20 })).status).toBe(201);
  }
  const page = await browser.newSeparatePage();
  await scene.signIn(page);
  const others = Promise.withResolvers<undefined>();
  await page.route("**/console/api/budgets?*", async (route) => {
    await others.promise;
    await route.continue();
  });
  await page.addInitScript(`
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
    }).observe({ type: "layout-shift", buffered: true });`);
  const usage = page.waitForResponse(/console\/api\/usage/);
  const runs = page.waitForResponse(/console\/api\/runs/);
  await open(page, "/usage");
  await Promise.all([usage, runs]);
  await page.getByRole("status", { name: "Loading" }).waitFor();
  others.resolve(undefined);
  await page.getByText("Workspace, per month").waitFor();
  await page.getByRole("heading", { name: "Most expensive runs" }).waitFor();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  expect(z.number().parse(await page.evaluate("globalThis.shift"))).toBeLessThan(MAX_SHIFT);
});

/** 120 voices, the first one with the earliest time. */
const VOICES = `
  insert into voice_profiles (id, workspace_id, name, tone, created_at)
  select gen_random_uuid(), w.id, 'Voice ' || n, 'Formal', now() + n * interval '1 s'
  from (select id from workspaces limit 1) w, generate_series(1, 120) n
  returning id, name`;

verifies("console.lists.pages", "voices are shown page by page, and one of a later page opens by its URL", async () => {
  const voices = await sql<{ id: string; name: string }>(scene.service.databaseUrl, VOICES);
  const page = await browser.open(scene, "/settings/voices");
  await page.getByRole("link", { name: "Voice 120", exact: true }).waitFor();
  await expect.poll(() => page.getByRole("row").count()).toBeLessThan(60);
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByRole("link", { name: "Voice 21", exact: true }).waitFor();
  const first = voices.find(({ name }) => name === "Voice 1");
  await open(page, `/settings/voices?open=${first?.id}`);
  await expect.poll(() => page.getByRole("dialog").getByLabel("Name").inputValue()).toBe("Voice 1");
});

verifies("console.lists.whole", "Usage shows all budgets, and says that it sums up only some of the runs", async () => {
  const page = await browser.open(scene, "/usage");
  await page.getByText("Nothing runs now.").waitFor();
  await sql(scene.service.databaseUrl, MANY);
  await page.reload();
  await page.getByText("The 200 most expensive runs; there are more.").waitFor();
  await page.getByText("200 runs", { exact: true }).waitFor();
  await expect.poll(() => page.getByText("Deleted agent, per day").count()).toBe(201);
  await sql(scene.service.databaseUrl, "delete from tasks where title = 'Letter'");
});

verifies("console.details.not-found", "the page of an unknown record links back to its list", async () => {
  const id = randomUUID();
  const page = await browser.newPage({ mayFail: [id.slice(0, 18)] });
  await scene.signIn(page);
  for (const [noun, list, name] of [
    ["Run", "runs", "Runs"],
    ["Agent", "agents", "Agents"],
    ["Team", "teams", "Teams"],
    ["Schedule", "schedules", "Schedules"],
    ["Trigger", "triggers", "Triggers"],
    ["Route", "destinations", "Destinations"],
  ] as const) {
    await open(page, `/${list}/${id}`);
    await page.getByRole("heading", { name: `${noun} not found` }).waitFor();
    await page.getByRole("link", { name: `Go to ${name}` }).click();
    await page.waitForURL(`**/w/my-workspace/${list}`);
  }
  // Half an id, as in a line that was cut.
  const half = id.slice(0, 18);
  await open(page, `/schedules/${half}`);
  await page.getByRole("heading", { name: "Schedule not found" }).waitFor();
  // A page that the console does not have is the content of the frame, which has the one landmark.
  await open(page, `/${half}`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await expect
    .poll(async () => [await page.getByRole("main").count(), await page.title()])
    .toEqual([1, "Page not found · Muster"]);
});

verifies(
  "console.details.new-agent",
  "the form of a new agent survives a reload, needs a prompt, and is empty afterwards",
  async () => {
    const page = await browser.open(scene, "/agents/new");
    await page.getByLabel("Name").fill("Librarian");
    await page.getByLabel("Prompt", { exact: true }).fill("You know every book.");
    await page.reload();
    await page.getByRole("button", { name: "Discard" }).waitFor();
    await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Librarian");
    await expect.poll(() => page.getByLabel("Prompt", { exact: true }).inputValue()).toBe("You know every book.");
    await page.getByLabel("Prompt", { exact: true }).fill(" ");
    await page.getByRole("button", { name: "Create agent" }).click();
    await page.getByText("Tell the agent what it is and what to do.").waitFor();
    await page.getByLabel("Prompt", { exact: true }).fill("You know every book.");
    await page.getByRole("button", { name: "Create agent" }).click();
    await page.waitForURL(/\/agents\/[0-9a-f-]{36}/);
    await expect
      .poll(() => sql(scene.service.databaseUrl, "select system_prompt from agents where name = 'Librarian'"))
      .toEqual([{ system_prompt: "You know every book." }]);
    await open(page, "/agents/new");
    await page.getByRole("button", { name: "Create agent" }).waitFor();
    await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("");
    expect(await page.getByRole("button", { name: "Discard" }).count()).toBe(0);
  },
);

verifies("console.details.run-title", "the title of a team run is the first line of its input", async () => {
  const agent = await createAgent(scene.api);
  const team = await createTeam(scene.api, { config: { steps: [{ agent_id: agent.id }] } });
  const run = await startRun(scene.api, team.id, `\n  Compare the offers\r\nof three suppliers\n${QUICK}`);
  await runIn(scene.api, run.id, "completed");
  const page = await browser.open(scene, "/runs");
  const row = page.getByRole("link", { name: "Compare the offers", exact: true });
  await row.waitFor();
  await row.click();
  await page.getByRole("heading", { name: "Compare the offers", level: 1, exact: true }).waitFor();
  await page.getByRole("link", { name: "Task", exact: true }).click();
  await page.getByText("of three suppliers").first().waitFor();
});

verifies(
  "console.details.model-fault",
  "an agent that cannot call its model says so, and where to set it up",
  async () => {
    const { id } = await createAgent(scene.api, { name: "Poet", model: "claude-opus-5-5", provider: "anthropic" });
    const prompter = await createAgent(scene.api, {
      name: "Prompter",
      model: "demo",
      fallback_model: "claude-opus-5-5",
    });
    const page = await browser.open(scene, `/agents/${prompter.id}`);
    await page.getByText("A fallback model cannot answer.").waitFor();
    await open(page, "/agents");
    const row = page.getByRole("row", { name: /Poet/ });
    await row.getByRole("link", { name: "Anthropic is not set up" }).waitFor();
    await open(page, `/agents/${id}`);
    const banner = page.getByRole("status").filter({ hasText: "Anthropic is not set up in this workspace." });
    await banner.getByRole("link", { name: "Model providers" }).click();
    await page.waitForURL(/settings\/models\?provider=anthropic/);
    await page.getByLabel("API key").fill("sk-ant-test");
    await page.getByRole("button", { name: "Save key" }).click();
    await page.getByText("Anthropic key saved.", { exact: true }).waitFor();
    await open(page, `/agents/${id}`);
    await page.getByRole("button", { name: "More actions" }).waitFor();
    expect(await banner.count()).toBe(0);
  },
);

verifies("console.details.times", "a time of a schedule and a delivery to a trigger appear by themselves", async () => {
  const agent = await createAgent(scene.api);
  const work = { assigned_agent_id: agent.id, title: "Work", description: QUICK };
  const schedule = record.parse((await desk().post("/schedules", { name: "Yearly", cron: "0 0 1 1 *", ...work })).body);
  const { id, url } = trigger.parse((await desk().post("/triggers", { name: "Shop", ...work })).body);
  const page = await browser.open(scene, `/schedules/${schedule.id}`);
  await page.getByText("Nothing yet").waitFor();
  expect((await desk().post(`/schedules/${schedule.id}/run`, {})).status).toBe(201);
  await page.getByRole("link", { name: "Created a task, by hand" }).waitFor();

  await open(page, `/triggers/${id}`);
  await page.getByText("No deliveries yet").waitFor();
  const headers = { "Content-Type": "application/json" };
  expect((await fetch(url, { method: "POST", body: "{}", headers })).status).toBe(202);
  await page.getByRole("table").getByRole("link").first().waitFor();
});

verifies("console.settings.quota-full", "a quota that is used up says what to do", async () => {
  const database = scene.service.databaseUrl;
  await createAgent(scene.api);
  await sql(database, "update plan_quotas set records = 1");
  try {
    const page = await browser.open(scene, "/settings/workspace");
    await page
      .getByRole("listitem")
      .filter({ hasText: "Records" })
      .getByText(/^Full: delete some/)
      .waitFor();
    expect(await page.getByText(/^Full/).count()).toBe(1);
  } finally {
    await sql(database, "update plan_quotas set records = null");
  }
});

verifies("pages.viewer", "a viewer sees forbidden controls disabled, with the reason", async () => {
  const page = await browser.newPage();
  await joinAs(scene, page, "viewer");
  await page.goto(`${scene.service.url}/w/my-workspace/runs`);
  const button = page.getByRole("button", { name: "New task" });
  await button.waitFor();
  await expect.poll(() => button.isDisabled()).toBe(true);
  await expect.poll(() => button.getAttribute("title")).toBe("Needs the role member; yours is viewer.");
});

verifies("pages.home", "Home shows what needs a person and what was done", async () => {
  const { id: agentId } = await createAgent(scene.api, { name: "Asker", tools: ["request_approval"] });
  const description = '[[tool:request_approval {"title":"May I?"}]]';
  const { id } = await createTask(scene.api, { title: "Needs somebody", assigned_agent_id: agentId, description });
  await taskIn(scene.api, id, "waiting_for_input");
  await taskInState(scene.api, { agentId, status: "failed", description: FAILING });
  const page = await browser.open(scene, "");
  await page.getByRole("region", { name: "Failed in the last 24 hours" }).getByText("MODEL_ERROR").waitFor();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await page.getByRole("region", { name: "Last 14 days" }).getByText("Show as table").first().waitFor();
  await page.getByRole("region", { name: "Questions due next" }).getByRole("link", { name: "Needs somebody" }).click();
  await page.waitForURL(`**/runs/${id}`);
});
