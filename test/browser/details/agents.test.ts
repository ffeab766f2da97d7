import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

const record = z.object({ id: z.string() });
const week = z.object({ total: z.object({ completed: z.int(), failed: z.int() }) });

const ofConsole = () => consoleOf(scene.service, scene.service.keys.api);

async function createAgent(fields: object): Promise<string> {
  return record.parse((await scene.api.post("/api-agents", { model: "demo", ...fields })).body).id;
}

verifies("agent-screens.try", "an agent is tried beside its form, and unsaved changes are named", async () => {
  const id = await createAgent({ name: "Speaker" });
  const page = await browser.open(scene, `/agents/${id}?tab=try`);
  await page.getByLabel("Message").fill("[[say:The first answer.]]");
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForURL(/thread=/);
  await page.getByText("The first answer.", { exact: true }).waitFor();
  await page.getByLabel("Message").fill("[[say:The second answer.]]");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("The second answer.", { exact: true }).waitFor();
  await page.reload();
  await page.getByText("The first answer.", { exact: true }).waitFor();
  await page.getByText("The second answer.", { exact: true }).waitFor();
  await page.getByLabel("Prompt", { exact: true }).fill("Another prompt.");
  await page.getByText("Not tried, since not saved: Prompt").waitFor();
  // The request that saves it has what is typed.
  await page
    .getByRole("tab", { name: "Try" })
    .or(page.getByRole("link", { name: "Try" }))
    .first()
    .focus();
  await page.keyboard.press("Alt+a");
  await page.getByRole("dialog").getByText('"system_prompt":"Another prompt."').waitFor();
  await page.keyboard.press("Escape");
  const thread = new URL(page.url()).searchParams.get("thread");
  await expect
    .poll(() => sql(scene.service.databaseUrl, "select status, attempt from tasks where id = $1", [thread]))
    .toEqual([{ status: "completed", attempt: 2 }]);
});

verifies(
  "agent-screens.model-settings",
  "the form of an agent has what its model takes, and says why another setting is not there",
  async () => {
    const id = await createAgent({ name: "Tuned" });
    const page = await browser.open(scene, `/agents/${id}`, { mayFail: ["/functions/v1/api-agents"] });
    await page.getByText("The reasoning of Demo model (no AI, offline) cannot be adjusted.").waitFor();
    await page.getByLabel("Model", { exact: true }).selectOption("openai-compatible");
    await page.getByLabel("Its name at the endpoint").fill("llama-9");
    await page.getByLabel("Reasoning effort").selectOption("high");
    await page.getByLabel("Temperature").fill("");
    await page.getByLabel("Fallback model", { exact: true }).fill("llama-8");
    await page.getByLabel("Fallback model 2").fill("llama-7");
    await page.getByLabel("Show its reasoning in streams").check();
    await page.getByLabel("Let the provider cache prompts").uncheck();
    await page.getByLabel("Output schema").fill('{"type": "banana"}');
    await page.getByRole("button", { name: "Save version" }).click();
    await page.getByText("is not a usable JSON Schema").waitFor();
    await page.getByLabel("Output schema").fill('{"type": "object"}');
    await page.getByRole("button", { name: "Save version" }).click();
    await page.getByText("Saved as version 2.", { exact: true }).waitFor();
    expect((await scene.api.get(`/api-agents?id=${id}`)).body).toMatchObject({
      provider: "openai-compatible",
      model: "llama-9",
      fallback_models: ["llama-8", "llama-7"],
      temperature: null,
      reasoning: { effort: "high", show: true },
      prompt_caching: false,
      output_schema: { type: "object" },
    });
    await page.getByLabel("Model", { exact: true }).selectOption("claude-sonnet-5-5");
    await page.getByText("Claude Sonnet 5.5 does not accept a temperature.").waitFor();
    await page.getByLabel("Model", { exact: true }).selectOption("demo");
    await page.getByText("The reasoning of Demo model (no AI, offline) cannot be adjusted.").waitFor();
  },
);

verifies("agent-screens.run-settings", "approvers and runs without readers are set in the agent's form", async () => {
  const id = await createAgent({ name: "Careful", config: { team: "billing" } });
  const page = await browser.open(scene, `/agents/${id}`);
  const configOf = async () => fieldsOf(await scene.api.get(`/api-agents?id=${id}`))["config"];
  const disconnects = page.getByLabel("Cancel a run when the AG-UI client that started it disconnects");
  await page.getByLabel("Approvals are given by").selectOption("members");
  await disconnects.check();
  await page.getByText("Unsaved: Approvers, Cancelled on disconnect", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Save version" }).click();
  await page.getByText("Saved as version 2.", { exact: true }).waitFor();
  expect(await configOf()).toEqual({ team: "billing", approvers: "members", cancel_on_disconnect: true });
  await page.reload();
  await expect.poll(() => page.getByLabel("Approvals are given by").inputValue()).toBe("members");
  // The rest of the config is in its own field.
  expect(JSON.parse(await page.getByLabel("Config").inputValue())).toEqual({ team: "billing" });
  await page.getByLabel("Approvals are given by").selectOption("");
  await disconnects.uncheck();
  await page.getByRole("button", { name: "Save version" }).click();
  await page.getByText("Saved as version 3.", { exact: true }).waitFor();
  expect(await configOf()).toEqual({ team: "billing" });
});

verifies("console.agents.week", "the list and the runs of an agent show its last 7 days", async () => {
  const id = await createAgent({ name: "Steady" });
  for (const description of ["[[say:one]]", "[[say:two]]", "[[fail:boom]]"]) {
    await scene.api.post("/api-tasks", { title: "Work", description, assigned_agent_id: id });
  }
  await eventually("all three have ended", async () => {
    const { total } = week.parse((await ofConsole().get(`/agents/${id}/stats`)).body);
    return total.completed === 2 && total.failed === 1;
  });
  const page = await browser.open(scene, "/agents");
  const row = page.getByRole("row", { name: /Steady/ });
  await row.getByText("67 %", { exact: true }).waitFor();
  await expect.poll(() => row.getByRole("cell").allTextContents()).toEqual(expect.arrayContaining(["3", "67 %", "$0"]));
  await row.getByRole("link", { name: "Steady" }).click();
  const tabs = page.getByRole("navigation", { name: "Parts of the agent" });
  await tabs.getByRole("link", { name: "Runs" }).click();
  await page.getByText("1 failed", { exact: true }).waitFor();
});

verifies("console.agents.used-by", "an agent's page lists its references, and the delete dialog does too", async () => {
  const id = await createAgent({ name: "Wanted", is_mcp_published: true });
  await scene.api.post("/api-teams", { name: "Duo", mode: "pipeline", config: { steps: [{ agent_id: id }] } });
  const plan = { name: "Each morning", cron: "0 9 * * *", assigned_agent_id: id, title: "Work", description: "" };
  expect((await ofConsole().post("/schedules", plan)).status).toBe(201);
  const page = await browser.open(scene, `/agents/${id}?tab=used-by`, { mayFail: [`id=${id}`, id] });
  await page
    .getByRole("region", { name: "Teams" })
    .getByText(/^DuoStep$/)
    .waitFor();
  await page
    .getByRole("region", { name: "Schedules" })
    .getByText(/^Each morningEvery day at 09:00$/)
    .waitFor();
  await page.getByRole("region", { name: "Published" }).getByText("wanted").waitFor();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete agent" }).click();
  const effects = page.getByRole("dialog").getByRole("list", { name: "What uses it" });
  await effects.waitFor();
  await expect
    .poll(() => effects.getByRole("listitem").allTextContents())
    .toEqual([
      "Cannot run until another agent takes its place: Duo",
      "Deleted with it: 1 schedule",
      "No longer found in MCP",
    ]);
  await page.getByRole("button", { name: "Delete agent" }).click();
  await page.waitForURL(/\/agents$/);
  await expect
    .poll(() => sql(scene.service.databaseUrl, "select 1 from schedules where assigned_agent_id = $1", [id]))
    .toEqual([]);
});
