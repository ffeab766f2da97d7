import { agentCreate } from "#domain/agent.ts";
import { AppError } from "#domain/errors.ts";
import { importedName } from "#domain/export-file.ts";
import type { AgentFile, ExportedAgent } from "#domain/export-file.ts";
import type { Principal } from "#domain/principal.ts";
import type { Transaction } from "#db/database.ts";
import { insertAgent } from "#db/queries/agents.ts";
import type { NewAgent } from "#db/queries/agents.ts";
import { readRecordIn } from "#db/queries/records.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/json-text.ts";
import type { Services } from "./context.ts";
import { resolveProvider } from "./resolve-provider.ts";

/** Tools of this kind are made in a workspace and stay there. */
const CUSTOM_TOOL = "custom:";

/** What an import made, each as the API shows it. */
export interface Imported {
  readonly agents: readonly JsonText[];
}

/**
 * Creates what a file describes, all of it or nothing. Names get the suffix ` (imported)`.
 * @throws AppError `bad_request` with the path of the fault, as when this instance has no such model.
 */
export async function importFile(services: Services, who: Principal, file: AgentFile): Promise<Imported> {
  const agent = agentToImport(services.providerIds, who, { data: file.data, path: "data" });
  return services.db.inWorkspace(who, async (tx) => ({ agents: [await insert(tx, agent)] }));
}

function agentToImport(
  providerIds: readonly string[],
  who: Principal,
  { data, path }: { readonly data: ExportedAgent; readonly path: string },
): NewAgent {
  const { provider, ...fields } = data;
  const choice = { ...fields, provider: provider ?? undefined };
  return {
    ...agentCreate.parse({
      ...fields,
      name: importedName(data.name),
      tools: data.tools.filter((tool) => !tool.startsWith(CUSTOM_TOOL)),
    }),
    id: newId(),
    workspace_id: who.workspaceId,
    created_by: who.userId,
    provider: at(path, () => resolveProvider(providerIds, choice)),
  };
}

/** Runs a check whose faults name fields of one part of the file, and lets them name their place in the whole. */
function at<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = (error.details ?? []).map((fault) => ({ ...fault, path: `${path}.${fault.path}` }));
    const message = details.map((fault) => `${fault.path}: ${fault.message}`).join("; ");
    throw new AppError(error.code, `Invalid body: ${message}`, { details, cause: error });
  }
}

async function insert(tx: Transaction, agent: NewAgent): Promise<JsonText> {
  await insertAgent(tx, agent);
  const record = await readRecordIn(tx, "agent", agent.id);
  if (record === undefined) throw new Error("An agent that was just inserted can be read.");
  return record;
}
