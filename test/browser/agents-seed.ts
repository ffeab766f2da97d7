import { z } from "zod";
import { consoleOf } from "../support/api.ts";
import { goldenOf } from "../support/golden.ts";
import { QUICK, createTask, taskIn } from "../support/work.ts";
import type { Scene } from "./scene.ts";

const record = z.object({ id: z.string() });

/** What {@link seedAgents} has made, by ids. */
export interface AgentsSeed {
  /** An agent with three versions, tools and everything else that an agent can have. */
  readonly agent: string;
  /** A custom tool that the agent lists. */
  readonly tool: string;
}

/** Fills the screens of agents, tools, voices and templates. */
export async function seedAgents(scene: Scene): Promise<AgentsSeed> {
  const { api, service } = scene;
  const page = consoleOf(service, service.keys.api);
  const create = async (path: string, body: object) => record.parse((await page.post(path, body)).body).id;
  const voice = await create("/voice-profiles", {
    name: "Plain and kind",
    tone: "Empathetic",
    custom_instructions: "Short sentences. No jargon.",
  });
  const template = await create("/output-templates", {
    name: "Memo",
    type: "Markdown",
    body: "# {{task_title}}\n\n{{task_result}}",
  });
  const tool = await create("/tools", {
    name: "find_invoice",
    description: "Finds an invoice by its number.",
    url: "https://invoices.example.org/v1/{number}",
    method: "GET",
    headers: { Authorization: "Bearer secret-token-9876" },
    parameters: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
  });
  const { id } = record.parse(
    (
      await api.post("/api-agents", {
        name: "Invoice clerk",
        description: "Checks invoices and asks before it pays.",
        model: "demo",
        system_prompt: "You check invoices.\nYou never pay without asking.",
        tags: ["finance", "inbox"],
        tools: ["current_time", "web_search", `custom:${tool}`, "request_approval"],
        voice_profile_id: voice,
        output_template_id: template,
        config: { requires_approval: [`custom:${tool}`], team: "billing" },
        is_a2a_published: true,
        is_mcp_published: true,
        is_marketplace: true,
        marketplace_tags: ["finance"],
      })
    ).body,
  );
  for (const system_prompt of [
    "You check invoices.\nYou never pay without asking a person.",
    "You check incoming invoices.\nYou never pay without asking a person first.\nAmounts above $10,000 need two people.",
  ]) {
    await api.patch(`/api-agents?id=${id}`, { system_prompt });
  }
  await seedGolden(scene, id);
  return { agent: id, tool };
}

/** A golden case of an agent, and changes that were tried on it. */
async function seedGolden({ api, service }: Scene, id: string): Promise<void> {
  const task = await createTask(api, { title: "Check 4711", assigned_agent_id: id, description: QUICK });
  await taskIn(api, task.id, "completed");
  const golden = goldenOf(service, api);
  await golden.keep(task.id);
  await golden.ends((await golden.start(id, { changes: { temperature: 0.2 } })).id);
}
