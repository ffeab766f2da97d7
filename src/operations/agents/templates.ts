import { EXPORT_FORMAT, EXPORT_VERSION, agentFile, teamFile } from "#domain/agents/export-file.ts";
import type { ExportFile } from "#domain/agents/export-file.ts";
import { notFound } from "#domain/errors.ts";
import { AGENT_TEMPLATES } from "#domain/agents/agent-templates.ts";
import { TEAM_TEMPLATES } from "#domain/agents/team-templates.ts";
import { TEMPLATE_MODEL } from "#domain/agents/template.ts";
import type { AgentTemplate, TeamTemplate } from "#domain/agents/template.ts";
import type { Workspace } from "../workspace.ts";
import { checkFile, importFile } from "./import.ts";
import type { CheckedFile, Imported } from "./import.ts";

const HEADER = { format: EXPORT_FORMAT, version: EXPORT_VERSION } as const;

/** A template as the API shows it. */
export interface TemplateRecord {
  readonly id: string;
  readonly purpose: string;
  readonly task: string;
  readonly demo_task: string;
  readonly tools: readonly string[];
  readonly file: ExportFile;
}

/** What a person changes in a template before it is used. */
export interface TemplateChoice {
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
}

/** A checked template, ready to be created from. */
export interface CheckedTemplate {
  readonly file: CheckedFile;
  /** The example for its model, with the `ref_id`s of a team's agents. */
  readonly task: string;
}

/** Records that were created from a template, and an example of what to give them. */
export type UsedTemplate = Imported & { readonly task: string };

/** The templates of agents, then those of teams, in the order in which they are offered. */
export function listTemplates(): readonly TemplateRecord[] {
  return [...AGENT_TEMPLATES, ...TEAM_TEMPLATES].map((template) => {
    const { id, purpose, task } = template;
    const file = fileOf(template, {});
    const agents = file.type === "agent" ? [file.data] : file.data.agents.map(({ agent }) => agent);
    const tools = [...new Set(agents.flatMap((agent) => agent.tools))];
    return { id, purpose, task, demo_task: taskFor(template, TEMPLATE_MODEL), tools, file };
  });
}

/**
 * Checks a template before the transaction that uses it.
 * @throws AppError `not_found`, `bad_request` for a model that no provider has
 */
export async function checkTemplate(
  workspace: Workspace,
  { id, ...choice }: TemplateChoice & { readonly id: string },
): Promise<CheckedTemplate> {
  const template = [...AGENT_TEMPLATES, ...TEAM_TEMPLATES].find((each) => each.id === id);
  if (template === undefined) throw notFound("Template");
  const file = await checkFile(workspace, fileOf(template, choice));
  return { file, task: taskFor(template, choice.model ?? TEMPLATE_MODEL) };
}

/** Creates the agent or team of a template. Names get a number when the workspace has them already. */
export async function useTemplate(workspace: Workspace, { file, task }: CheckedTemplate): Promise<UsedTemplate> {
  const imported = await importFile(workspace, file, "");
  const refs = file.type === "team" ? file.data.agents.map(({ ref_id }) => ref_id) : [];
  const named = refs.reduce((text, ref, index) => text.replaceAll(`"${ref}"`, `"${imported.agentIds[index]}"`), task);
  return { ...imported, task: named };
}

function fileOf(
  template: AgentTemplate | TeamTemplate,
  { name, model = TEMPLATE_MODEL, provider }: TemplateChoice,
): ExportFile {
  const chosen = { model, provider: provider ?? null };
  const named = name === undefined ? {} : { name };
  if ("agent" in template) {
    return agentFile.parse({ ...HEADER, type: "agent", data: { ...template.agent, ...chosen, ...named } });
  }
  const agents = template.team.agents.map(({ ref_id, agent }) => ({ ref_id, agent: { ...agent, ...chosen } }));
  return teamFile.parse({ ...HEADER, type: "team", data: { ...template.team, ...named, agents } });
}

/** Only the demo model reads directives. */
function taskFor({ task, demo }: AgentTemplate | TeamTemplate, model: string): string {
  return model === TEMPLATE_MODEL ? [task, ...demo].join("\n") : task;
}
