import type { MusterClient } from "#client/index.ts";
import { COUNTED_TOOL } from "./vendor/conversation.ts";
import type { WorkKind } from "./vendor/conversation.ts";

/** Who does the work of a kind. */
export type Assignee = { readonly assigned_agent_id: string } | { readonly assigned_team_id: string };

/** What the proof sets up in its workspace. */
export interface ProofWorkspace {
  readonly assignees: Readonly<Record<WorkKind, Assignee>>;
  readonly agentId: string;
  readonly scheduleId: string;
}

/** The title of the tasks that the schedule makes. */
export const SCHEDULED_TITLE = "scheduled talk";
const EVERY_TWO_SECONDS = "*/2 * * * * *";
const MODEL = { provider: "openai-compatible", model: "proof" };

/** Creates the agents, the team, the tool, the schedule and the route of results. @param vendorUrl where they lead */
export async function createProofWorkspace(muster: MusterClient, vendorUrl: string): Promise<ProofWorkspace> {
  const tool = await muster.createTool({
    name: COUNTED_TOOL,
    description: "Counts its calls.",
    method: "POST",
    url: `${vendorUrl}/tool`,
    parameters: { type: "object", properties: { title: { type: "string" }, number: { type: "integer" } } },
  });
  const tools = [`custom:${tool.id}`, "request_input"];
  const create = (name: string) => muster.createAgent({ ...MODEL, name, system_prompt: `You are ${name}.`, tools });
  const [solo, first, second] = [await create("Solo"), await create("First"), await create("Second")];
  const team = await muster.createTeam({
    name: "Pair",
    mode: "pipeline",
    config: { steps: [{ agent_id: first.id }, { agent_id: second.id }] },
  });
  await muster.createRoute({
    name: "Results",
    type: "http",
    config: { url: `${vendorUrl}/deliveries` },
    retry_delays: [1, 1, 1, 1],
  });
  const schedule = await muster.createSchedule({
    name: "Every two seconds",
    cron: EVERY_TWO_SECONDS,
    assigned_agent_id: solo.id,
    title: SCHEDULED_TITLE,
  });
  const alone = { assigned_agent_id: solo.id };
  return {
    agentId: solo.id,
    scheduleId: schedule.id,
    assignees: { talk: alone, tools: alone, question: alone, pipeline: { assigned_team_id: team.id } },
  };
}
