import type { ExportFile } from "#domain/export-file.ts";
import type { Principal } from "#domain/principal.ts";
import type { Transaction } from "#db/database.ts";
import { insertAgent } from "#db/queries/agents.ts";
import { readRecordIn } from "#db/queries/records.ts";
import { insertTeam, replaceMembers } from "#db/queries/teams.ts";
import type { JsonText } from "#lib/json-text.ts";
import { checkTools } from "./check-tools.ts";
import type { Services } from "./context.ts";
import { planAgent, planTeam } from "./import-plan.ts";
import type { ImportPlan } from "./import-plan.ts";

/** What an import made, each as the API shows it. */
export interface Imported {
  readonly agents: readonly JsonText[];
  readonly team: JsonText | null;
}

/**
 * Creates what a file describes, all of it or nothing. Names get the suffix ` (imported)`.
 * @throws AppError `bad_request` with the path of each fault, as when this instance has no such model.
 */
export async function importFile(services: Services, who: Principal, file: ExportFile): Promise<Imported> {
  const owner = { providerIds: services.providerIds, who };
  const plan: ImportPlan =
    file.type === "agent"
      ? { agents: [planAgent(owner, file.data, "data")], team: null }
      : planTeam(owner, file.data, "data");
  return services.db.inWorkspace(who, async (tx) => ({
    agents: await insertAgents(tx, plan, services.toolNames),
    team: plan.team === null ? null : await insertPlannedTeam(tx, plan.team),
  }));
}

async function insertAgents(
  tx: Transaction,
  { agents, team }: ImportPlan,
  toolNames: readonly string[],
): Promise<JsonText[]> {
  const records: JsonText[] = [];
  for (const [index, agent] of agents.entries()) {
    await checkTools(tx, toolNames, agent, team === null ? "data." : `data.agents.${index}.agent.`);
    await insertAgent(tx, agent);
    records.push(made(await readRecordIn(tx, "agent", agent.id)));
  }
  return records;
}

async function insertPlannedTeam(tx: Transaction, team: NonNullable<ImportPlan["team"]>): Promise<JsonText> {
  const { members, ...row } = team;
  await insertTeam(tx, row);
  await replaceMembers(tx, row.id, members);
  return made(await readRecordIn(tx, "team", row.id));
}

function made(record: JsonText | undefined): JsonText {
  if (record === undefined) throw new Error("What was just inserted can be read.");
  return record;
}
