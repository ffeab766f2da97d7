import type { FieldIssue } from "#domain/errors.ts";
import { IMPORTED_SUFFIX } from "#domain/agents/export-file.ts";
import type { ExportFile } from "#domain/agents/export-file.ts";
import { nameStem, uniqueName } from "#domain/unique-name.ts";
import type { Transaction } from "#db/database.ts";
import { insertAgent } from "#db/queries/agents/agents.ts";
import { readNames } from "#db/queries/agents/names.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { insertTeam, replaceMembers } from "#db/queries/teams/teams.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { checkImportedTools } from "../tools/check-tools.ts";
import { checkAgent } from "./check-agent.ts";
import type { CheckedAgent } from "./check-agent.ts";
import { importApprovals } from "./import-approvals.ts";
import { planAgentFile, planTeam } from "./import-plan.ts";
import type { ImportPlan } from "./import-plan.ts";
import type { Workspace } from "../workspace.ts";

/** The imported records, each as the API shows it. */
export interface Imported {
  readonly agents: readonly JsonText[];
  /** The ids of these agents, in the order of the file. */
  readonly agentIds: readonly string[];
  readonly team: JsonText | null;
  /** Parts of the file that were left out, or cannot be used yet. */
  readonly warnings: readonly FieldIssue[];
}

/** A file whose agents have usable schemas. */
export type CheckedFile = ExportFile & Pick<CheckedAgent<unknown>, "obstacles">;

/** Checks the agents of a file before the transaction of its import. @throws AppError as {@link checkAgent} */
export async function checkFile(workspace: Workspace, file: ExportFile): Promise<CheckedFile> {
  const agents =
    file.type === "agent"
      ? [{ agent: file.data, under: "data." }]
      : file.data.agents.map(({ agent }, index) => ({ agent, under: `data.agents.${index}.agent.` }));
  const obstacles = new Map<string, string>();
  for (const { agent, under } of agents) {
    const checked = await checkAgent(workspace, { ...agent, under });
    for (const [provider, obstacle] of checked.obstacles) obstacles.set(provider, obstacle);
  }
  return { ...file, obstacles };
}

/**
 * Creates the records that a file describes, all or none. Names get the suffix, preceded by a number when the workspace
 * has that name already.
 * @throws AppError `bad_request` with the path of each issue, such as an unknown model.
 */
export async function importFile(
  workspace: Workspace,
  file: CheckedFile,
  suffix: string = IMPORTED_SUFFIX,
): Promise<Imported> {
  const { obstacles } = file;
  const owner = { catalogue: workspace.catalogue, toolNames: workspace.toolNames, who: workspace.who, obstacles };
  const plan = file.type === "agent" ? planAgentFile(owner, file.data) : planTeam(owner, file.data, "data");
  return workspace.transaction(async (tx) => {
    const named = await renamed(tx, plan, suffix);
    const { records, warnings } = await insertAgents(tx, named, workspace);
    return {
      agents: records,
      agentIds: named.agents.map(({ id }) => id),
      team: named.team === null ? null : await insertPlannedTeam(tx, named.team),
      warnings: [...named.warnings, ...warnings],
    };
  });
}

/** People and the command line address agents and teams by name, so names are unique. */
async function renamed(tx: Transaction, plan: ImportPlan, suffix: string): Promise<ImportPlan> {
  const stemOf = ({ name }: { readonly name: string }) => nameStem(name, suffix);
  const taken = new Set(await readNames(tx, "agents", plan.agents.map(stemOf)));
  const agents = plan.agents.map((agent) => {
    const name = uniqueName(agent.name, taken, suffix);
    taken.add(name);
    return { ...agent, name };
  });
  if (plan.team === null) return { ...plan, agents };
  const teams = await readNames(tx, "teams", [stemOf(plan.team)]);
  return { ...plan, agents, team: { ...plan.team, name: uniqueName(plan.team.name, teams, suffix) } };
}

async function insertAgents(
  tx: Transaction,
  { agents, team }: ImportPlan,
  workspace: Workspace,
): Promise<{ readonly records: readonly JsonText[]; readonly warnings: readonly FieldIssue[] }> {
  const records: JsonText[] = [];
  const warnings: FieldIssue[] = [];
  for (const [index, { tools, config: given, ...agent }] of agents.entries()) {
    const under = team === null ? "data." : `data.agents.${index}.agent.`;
    const { config, warnings: ofRules } = await importApprovals(tx, workspace, {
      config: given,
      path: `${under}config`,
    });
    warnings.push(...(await checkImportedTools(tx, workspace.toolNames, { tools, config, under })), ...ofRules);
    await insertAgent(tx, { ...agent, tools, config });
    records.push(made(await readRecord(tx, "agent", agent.id)));
  }
  return { records, warnings };
}

async function insertPlannedTeam(tx: Transaction, team: NonNullable<ImportPlan["team"]>): Promise<JsonText> {
  const { members, ...row } = team;
  await insertTeam(tx, row);
  await replaceMembers(tx, row.id, members);
  return made(await readRecord(tx, "team", row.id));
}

function made(record: JsonText | undefined): JsonText {
  if (record === undefined) throw new Error("The inserted record must be readable.");
  return record;
}
