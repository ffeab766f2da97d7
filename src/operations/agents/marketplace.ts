import { agentConfig } from "#domain/agents/agent.ts";
import { notFound, orNotFound } from "#domain/errors.ts";
import { uniqueName } from "#domain/unique-name.ts";
import type { Transaction } from "#db/database.ts";
import { updateAgent } from "#db/queries/agents/agents.ts";
import { installListing, listMarketplace, readConfig, readCopy, readListing } from "#db/queries/agents/marketplace.ts";
import type { CopyReview, MarketplacePage, MarketplaceQuery } from "#db/queries/agents/marketplace.ts";
import { readNamesakes } from "#db/queries/agents/names.ts";
import { importApprovals } from "./import-approvals.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Workspace } from "../workspace.ts";

/** Lists the agents that any workspace publishes, without their prompts and settings. */
export function listListings(workspace: Workspace, query: MarketplaceQuery): Promise<MarketplacePage> {
  return listMarketplace(workspace, query);
}

/** Reads one listed agent. @throws AppError `not_found` when it is not listed. */
export async function getListing(workspace: Workspace, id: string): Promise<JsonText> {
  return orNotFound("Agent")(await readListing(workspace, id));
}

/** The result of an install. */
export interface InstallResult extends CopyReview {
  /** The number of workspaces that have installed the agent. */
  readonly install_count: number;
  /** The copy in the caller's workspace. */
  readonly agent_id: string;
  /** What was changed in its rules on approvals to fit this workspace. */
  readonly warnings: readonly string[];
}

/**
 * Copies a listed agent into the caller's workspace, where it is private. Each workspace counts once, the publisher's
 * own included; each further install creates another copy. If the name is taken, the copy gets a number. A prompt that
 * no member has read must not work for the workspace, or send its data away: a copy from another workspace waits for a
 * review, and tools that could send data are off until a person adds them.
 * @throws AppError `not_found` when the agent is not listed.
 */
export async function installAgent(workspace: Workspace, agentId: string): Promise<InstallResult> {
  const copyId = newId();
  const install = { listedId: agentId, copyId, installedBy: workspace.who.userId };
  return workspace.transaction(async (tx) => {
    const installs = await installListing(tx, install);
    if (installs === null) throw notFound("Agent");
    await renameIfTaken(tx, copyId);
    const warnings = await fitRules(tx, workspace, copyId);
    return { install_count: installs, agent_id: copyId, ...(await readCopy(tx, install)), warnings };
  });
}

/** Its rules on approvals name the publisher's people. */
async function fitRules(tx: Transaction, workspace: Workspace, agentId: string): Promise<readonly string[]> {
  const given = agentConfig.safeParse(await readConfig(tx, agentId)).data;
  if (given?.approvals === undefined) return [];
  const { config, warnings } = await importApprovals(tx, workspace, { config: given, path: "config" });
  await updateAgent(tx, agentId, { config });
  return warnings.map(({ path, message }) => `${path}: ${message}`);
}

async function renameIfTaken(tx: Transaction, agentId: string): Promise<void> {
  const found = await readNamesakes(tx, agentId);
  if (found === undefined) return;
  const name = uniqueName(found.name, new Set(found.taken));
  if (name !== found.name) await updateAgent(tx, agentId, { name });
}
