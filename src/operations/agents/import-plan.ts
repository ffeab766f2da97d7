import { agentCreate, approvalTools } from "#domain/agents/agent.ts";
import { CUSTOM_TOOL_PREFIX } from "#domain/tools/custom-tool.ts";
import { AppError } from "#domain/errors.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import type { FieldIssue } from "#domain/errors.ts";
import type { ExportedAgent, ExportedTeam } from "#domain/agents/export-file.ts";
import { invalid } from "#domain/invalid.ts";
import type { Principal } from "#domain/access/principal.ts";
import { readTeamConfig } from "#domain/teams/team.ts";
import type { TeamDesign } from "#domain/teams/team.ts";
import { DRAFT_CONFIGS, saysDraft } from "#domain/teams/team-config.ts";
import { membersOf, namedAgents } from "#domain/teams/team-members.ts";
import type { TeamMember } from "#domain/teams/team-members.ts";
import { renameAgents } from "#domain/teams/team-references.ts";
import { TEAM_TOOLS, isToolName } from "#domain/tools/tool-name.ts";
import type { NewAgent } from "#db/queries/agents/agents.ts";
import type { NewTeam } from "#db/queries/teams/teams.ts";
import { newId } from "#lib/ids.ts";
import { modelsOf } from "./agent-models.ts";

const FOREIGN_FIELDS: ReadonlySet<string> = new Set(["planner_enabled", "node_positions"]);

/** The owner of the imported rows. */
export interface ImportOwner {
  readonly who: Principal;
  readonly catalogue: ModelCatalogue;
  /** The built-in tools of this version. */
  readonly toolNames: readonly string[];
  /** Why the workspace cannot call a provider, by its id. */
  readonly obstacles: ReadonlyMap<string, string>;
}

/** The rows that an import inserts, with their ids and the names of the file. */
export interface ImportPlan {
  readonly agents: readonly NewAgent[];
  readonly team: (NewTeam & { readonly members: readonly TeamMember[] }) | null;
  /** Parts of the file that are left out, and models that cannot be called yet. */
  readonly warnings: readonly FieldIssue[];
}

/** Returns the rows of an agent's file. @throws AppError `bad_request`. */
export function planAgentFile(owner: ImportOwner, data: ExportedAgent): ImportPlan {
  const { row, warnings } = planAgent(owner, data, "data");
  return { agents: [row], team: null, warnings };
}

/**
 * Returns the row of an agent, without references unknown to this instance. @param path the agent's position in the
 * file
 */
function planAgent(owner: ImportOwner, data: ExportedAgent, path: string) {
  const { who, catalogue } = owner;
  const { provider: given, ...fields } = data;
  const tools = keepKnownTools(data.tools, owner.toolNames, `${path}.tools`);
  const approval = keepKnownTools(
    approvalTools(data.config),
    [...owner.toolNames, ...TEAM_TOOLS],
    `${path}.config.requires_approval`,
  );
  const isKnown = given === null || given === undefined || catalogue.providerIds.includes(given);
  const provider = isKnown ? (given ?? undefined) : undefined;
  const models = prefixIssuePaths(path, () =>
    modelsOf(catalogue, { fields: { ...fields, provider }, obstacles: owner.obstacles }),
  );
  const config = approval.dropped.length === 0 ? data.config : { ...data.config, requires_approval: approval.kept };
  const row: NewAgent = {
    ...agentCreate.parse({ ...fields, tools: tools.kept, config }),
    ...models.fallbacks,
    id: newId(),
    workspace_id: who.workspaceId,
    created_by: who.userId,
    provider: models.provider,
  };
  const unknownProvider = {
    path: `${path}.provider`,
    message: `Unknown provider "${given}" was left out; the model's own is used. Known: ${catalogue.providerIds.join(", ")}.`,
  };
  const ofModels = models.warnings.map((warning) => ({ ...warning, path: `${path}.${warning.path}` }));
  const left = [...tools.dropped, ...approval.dropped, ...(isKnown ? [] : [unknownProvider])];
  return { row, warnings: [...left, ...ofModels] };
}

/** Drops tools that this instance lacks, and custom ones: they belong to the workspace of the file. */
function keepKnownTools(names: readonly string[], known: readonly string[], path: string) {
  const kept: string[] = [];
  const dropped: FieldIssue[] = [];
  for (const [index, name] of names.entries()) {
    const isCustom = name.startsWith(CUSTOM_TOOL_PREFIX);
    const reason = isCustom ? "Custom tools are not imported" : "Unknown tool";
    if (!isCustom && isToolName(name, known)) kept.push(name);
    else dropped.push({ path: `${path}.${index}`, message: `${reason}: "${name}" was left out.` });
  }
  return { kept, dropped };
}

/**
 * Returns the rows of a team and of all its agents; the team's config references their new ids.
 * @param path its position in the file
 * @throws AppError `bad_request`, also for a reference that the file does not resolve.
 */
export function planTeam(owner: ImportOwner, data: ExportedTeam, path: string): ImportPlan {
  const planned = data.agents.map(({ ref_id, agent }, index) => ({
    ref_id,
    // A team takes only agents that somebody has reviewed.
    ...planAgent(owner, { ...agent, needs_review: false }, `${path}.agents.${index}.agent`),
  }));
  const ids = new Map(planned.map(({ ref_id, row }) => [ref_id, row.id]));
  if (ids.size < planned.length) {
    throw invalid("body", [{ path: `${path}.agents`, message: "must not contain a ref_id twice" }]);
  }
  const design = { mode: data.mode, config: resolved(withoutForeignFields(data.config), ids, `${path}.config`) };
  const team = {
    ...prefixIssuePaths(path, () => withMembers(design)),
    id: newId(),
    workspace_id: owner.who.workspaceId,
    created_by: owner.who.userId,
    name: data.name,
    description: data.description,
    output_route_ids: null,
    is_marketplace: false,
  };
  return { agents: planned.map(({ row }) => row), team, warnings: planned.flatMap(({ warnings }) => warnings) };
}

/**
 * Drops the fields of a team's config that the original system exports and that have no meaning here: the canvas
 * layout, the planner, and a step's reviewer.
 */
function withoutForeignFields(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isForeign = (name: string) => FOREIGN_FIELDS.has(name) || name.startsWith("_canvas_");
  const own = Object.fromEntries(Object.entries(config).filter(([name]) => !isForeign(name)));
  const { steps } = own;
  return Array.isArray(steps) ? { ...own, steps: steps.map(withoutReviewer) } : own;
}

function withoutReviewer(step: unknown): unknown {
  if (typeof step !== "object" || step === null) return step;
  return Object.fromEntries(Object.entries(step).filter(([name]) => name !== "reviewer_agent_id"));
}

function resolved(config: unknown, ids: ReadonlyMap<string, string>, path: string): unknown {
  const issues: FieldIssue[] = [];
  const renamed = renameAgents(config, (reference, at) => {
    const id = ids.get(reference);
    if (id === undefined)
      issues.push({ path: [path, ...at].join("."), message: "is not a ref_id of the file's agents" });
    return id ?? reference;
  });
  if (issues.length > 0) throw invalid("body", issues);
  return renamed;
}

/** A team's design with its members; a draft has none. */
function withMembers(design: TeamDesign): TeamDesign & { readonly members: readonly TeamMember[] } {
  if (saysDraft(design.mode, design.config)) return { ...design, config: DRAFT_CONFIGS[design.mode], members: [] };
  const config = readTeamConfig(design);
  return { ...design, config, members: membersOf(namedAgents(config)) };
}

/** Runs a check of one part of the file and prefixes the paths of its issues with the part's. */
function prefixIssuePaths<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined) throw error;
    throw invalid(
      "body",
      error.details.map((issue) => ({ ...issue, path: `${path}.${issue.path}` })),
    );
  }
}
