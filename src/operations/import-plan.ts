import { isDeepStrictEqual } from "node:util";
import { agentCreate, approvalTools } from "#domain/agent.ts";
import { CUSTOM_TOOL_PREFIX } from "#domain/custom-tool.ts";
import { AppError } from "#domain/errors.ts";
import type { FieldFault } from "#domain/errors.ts";
import { importedName } from "#domain/export-file.ts";
import type { ExportedAgent, ExportedTeam } from "#domain/export-file.ts";
import { invalid } from "#domain/invalid.ts";
import type { Principal } from "#domain/principal.ts";
import { readTeamConfig } from "#domain/team.ts";
import type { TeamDesign } from "#domain/team.ts";
import { DRAFT_CONFIGS } from "#domain/team-config.ts";
import { membersOf, namedAgents } from "#domain/team-members.ts";
import type { TeamMember } from "#domain/team-members.ts";
import { renameAgents } from "#domain/team-references.ts";
import type { NewAgent } from "#db/queries/agents.ts";
import type { NewTeam } from "#db/queries/teams.ts";
import { newId } from "#lib/ids.ts";
import { resolveProvider } from "./resolve-provider.ts";

/** For whom a file is read. */
export interface ImportOwner {
  readonly who: Principal;
  readonly providerIds: readonly string[];
}

/** What an import is to insert: rows with their ids, nothing of which can be refused any more. */
export interface ImportPlan {
  readonly agents: readonly NewAgent[];
  readonly team: (NewTeam & { readonly members: readonly TeamMember[] }) | null;
}

/** The row of an agent of a file. @param path where in the file it stands @throws AppError `bad_request`. */
export function planAgent({ who, providerIds }: ImportOwner, data: ExportedAgent, path: string): NewAgent {
  const { provider, ...fields } = data;
  const choice = { ...fields, provider: provider ?? undefined };
  return {
    ...agentCreate.parse({
      ...fields,
      name: importedName(data.name),
      tools: withoutCustom(data.tools),
      config: configOf(data),
    }),
    id: newId(),
    workspace_id: who.workspaceId,
    created_by: who.userId,
    provider: under(path, () => resolveProvider(providerIds, choice)),
  };
}

/** Custom tools are made in a workspace and stay there. */
function withoutCustom(names: readonly string[]): string[] {
  return names.filter((name) => !name.startsWith(CUSTOM_TOOL_PREFIX));
}

function configOf({ config }: ExportedAgent): ExportedAgent["config"] {
  const marked = approvalTools(config);
  return marked.length === 0 ? config : { ...config, requires_approval: withoutCustom(marked) };
}

/**
 * The rows of a team of a file and of all its agents, of which the team's config names the new ids.
 * @param path where in the file it stands
 * @throws AppError `bad_request`, also for a reference that the file does not resolve.
 */
export function planTeam(owner: ImportOwner, data: ExportedTeam, path: string): ImportPlan {
  const planned = data.agents.map(({ ref_id, agent }, index) => ({
    ref_id,
    row: planAgent(owner, agent, `${path}.agents.${index}.agent`),
  }));
  const ids = new Map(planned.map(({ ref_id, row }) => [ref_id, row.id]));
  if (ids.size < planned.length) {
    throw invalid("body", [{ path: `${path}.agents`, message: "must not hold a ref_id twice" }]);
  }
  const design = { mode: data.mode, config: resolved(data.config, ids, `${path}.config`) };
  const team = {
    ...under(path, () => staffed(design)),
    id: newId(),
    workspace_id: owner.who.workspaceId,
    created_by: owner.who.userId,
    name: importedName(data.name),
    description: data.description,
    output_route_ids: null,
    is_marketplace: false,
  };
  return { agents: planned.map(({ row }) => row), team };
}

function resolved(config: unknown, ids: ReadonlyMap<string, string>, path: string): unknown {
  const faults: FieldFault[] = [];
  const renamed = renameAgents(config, (reference, at) => {
    const id = ids.get(reference);
    if (id === undefined) faults.push({ path: [path, ...at].join("."), message: "is no ref_id of the file's agents" });
    return id ?? reference;
  });
  if (faults.length > 0) throw invalid("body", faults);
  return renamed;
}

/** A team's design with its members; a draft names no agents and has none. */
function staffed(design: TeamDesign): TeamDesign & { readonly members: readonly TeamMember[] } {
  if (isDeepStrictEqual(design.config, DRAFT_CONFIGS[design.mode])) return { ...design, members: [] };
  const config = readTeamConfig(design);
  return { ...design, config, members: membersOf(namedAgents(config)) };
}

/** Runs a check of one part of the file; its faults then name their place in the whole. */
function under<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined) throw error;
    throw invalid(
      "body",
      error.details.map((fault) => ({ ...fault, path: `${path}.${fault.path}` })),
    );
  }
}
