import type { AgentCreate, AgentPatch } from "#domain/agents/agent.ts";
import { notFound, orNotFound } from "#domain/errors.ts";
import type { AppError, FieldIssue } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { MAX_LISTED_TAGS } from "#domain/tag-list.ts";
import {
  deleteAgents as removeAgents,
  insertAgent,
  listAgentTags as listTags,
  lockAgent,
  lockAgents,
  updateAgent as writeAgent,
} from "#db/queries/agents/agents.ts";
import type { AgentModel } from "#db/queries/agents/agents.ts";
import type { Transaction } from "#db/database.ts";
import { overrideGate } from "#db/queries/golden/golden-gates.ts";
import { readNamesakes } from "#db/queries/agents/names.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { lockOpenRunsOf } from "#db/queries/runs/lock-runs.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { checkApprovals } from "../tools/check-approvals.ts";
import { checkTools } from "../tools/check-tools.ts";
import { modelsOf, withModels } from "./agent-models.ts";
import type { ChangedModels } from "./agent-models.ts";
import type { CheckedAgent } from "./check-agent.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Agent");

/**
 * Creates an agent.
 * @throws AppError `bad_request` when no provider knows the model, the model does not accept the reasoning effort, or
 * the workspace has no such voice, template, knowledge base, output route or tool.
 */
export async function createAgent(
  workspace: Workspace,
  input: CheckedAgent<AgentCreate & { readonly id?: string }>,
): Promise<WrittenAgent> {
  const { status: _, id = newId(), ...agent } = input.fields;
  const { provider, fallbacks, warnings } = modelsOf(workspace.catalogue, input);
  return workspace.transaction(async (tx) => {
    await checkTools(tx, workspace.toolNames, agent);
    const config = await checkRules(tx, workspace, agent.config);
    const owner = { workspace_id: workspace.who.workspaceId, created_by: workspace.who.userId };
    await insertAgent(tx, { ...agent, ...fallbacks, ...owner, config, id, provider });
    const [record, namesakes] = await Promise.all([readRecord(tx, "agent", id), readNamesakes(tx, id)]);
    const isShared = namesakes?.taken.includes(agent.name) ?? false;
    return { record: found(record), warnings: [...(isShared ? [SHARED_NAME] : []), ...warnings.map(messageOf)] };
  });
}

/** A created or changed agent as the API shows it, with warnings for the caller. */
export interface WrittenAgent {
  readonly record: JsonText;
  readonly warnings: readonly string[];
}

const SHARED_NAME = "Another agent has this name; commands that address agents by name now need the id.";

/** Reads an agent. @throws AppError `not_found`. */
export async function getAgent(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "agent", id));
}

/** Lists the tags of the workspace's agents. */
export function listAgentTags(workspace: Workspace): Promise<string[]> {
  return listTags(workspace, MAX_LISTED_TAGS);
}

/**
 * Changes the given fields of an agent. A new model sets its own provider unless one is given.
 * @throws AppError `not_found`; `bad_request` when model and provider do not match, the model does not accept the
 * reasoning effort, the workspace has no such voice, template, knowledge base, output route or tool, or `needs_review`
 * would become true; `conflict` when the agent has a gate that the change does not meet.
 */
export async function updateAgent(
  workspace: Workspace,
  {
    id,
    patch,
    override,
  }: {
    readonly id: string;
    readonly patch: CheckedAgent<AgentPatch>;
    /** Why the change is made though it does not meet the agent's gate. */
    readonly override?: string | undefined;
  },
): Promise<WrittenAgent> {
  return workspace.transaction(async (tx) => {
    if (override !== undefined) await overrideGate(tx, override);
    const current = found(await lockAgent(tx, id));
    if (patch.fields.needs_review === true && !current.needsReview) throw reviewed();
    const { changes, warnings } = await resolveChanges(tx, workspace, { current, patch });
    await writeAgent(tx, id, changes);
    return { record: found(await readRecord(tx, "agent", id)), warnings: warnings.map(messageOf) };
  });
}

/**
 * Checks changes of a locked agent against its workspace and adds the fields that follow from them.
 * @throws AppError as {@link updateAgent}
 */
export async function resolveChanges(
  tx: Transaction,
  workspace: Workspace,
  { current, patch }: { readonly current: AgentModel; readonly patch: CheckedAgent<AgentPatch> },
): Promise<ChangedModels> {
  await checkTools(tx, workspace.toolNames, patch.fields);
  const { changes, warnings } = withModels(workspace.catalogue, patch, current);
  const { config } = changes;
  if (config === undefined) return { changes, warnings };
  return { changes: { ...changes, config: await checkRules(tx, workspace, config) }, warnings };
}

/** Deletes agents, all or none. Their unfinished tasks are cancelled first. @throws AppError `not_found`. */
export async function deleteAgents(workspace: Workspace, ids: readonly string[]): Promise<void> {
  await workspace.change(async (tx) => {
    if ((await lockAgents(tx, ids)) < ids.length) throw notFound("Agent");
    const active = await lockOpenRunsOf(tx, ids);
    await allSettledOrThrow(active.map((taskId) => cancelRun(tx, taskId)));
    await removeAgents(tx, ids);
    tx.publish(...active);
  });
}

/** An agent's config whose rules on approvals can be met, with the ids of their people. */
async function checkRules(
  tx: Transaction,
  workspace: Workspace,
  config: AgentCreate["config"],
): Promise<AgentCreate["config"]> {
  const policy = config.approvals;
  if (policy === undefined) return config;
  return { ...config, approvals: await checkApprovals(tx, workspace, { policy, path: "config.approvals" }) };
}

function reviewed(): AppError {
  const message = "can only be set to false: the agent has no review to wait for";
  return invalid("body", [{ path: "needs_review", message }]);
}

function messageOf({ message }: FieldIssue): string {
  return message;
}
