import type { AgentCreate, AgentPatch } from "#domain/agents/agent.ts";
import { notFound, orNotFound } from "#domain/errors.ts";
import type { AppError, FieldIssue } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { MAX_LISTED_TAGS } from "#domain/tag-list.ts";
import type { Principal } from "#domain/access/principal.ts";
import {
  deleteAgents as removeAgents,
  insertAgent,
  listAgentTags as listTags,
  lockAgent,
  lockAgents,
  updateAgent as writeAgent,
} from "#db/queries/agents/agents.ts";
import { readNamesakes } from "#db/queries/agents/names.ts";
import { readRecord, readRecordIn } from "#db/queries/tasks/read-record.ts";
import { lockOpenRunsOf } from "#db/queries/runs/lock-runs.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { changeWorkspace } from "../change-workspace.ts";
import type { Services } from "../context.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { checkTools } from "../tools/check-tools.ts";
import { modelsOf, withModels } from "./agent-models.ts";
import type { CheckedAgent } from "./check-agent.ts";

const found = orNotFound("Agent");

/**
 * Creates an agent.
 * @throws AppError `bad_request` when no provider knows the model, the model does not accept the reasoning effort, or
 * the workspace has no such voice, template, knowledge base, output route or tool.
 */
export async function createAgent(
  services: Services,
  who: Principal,
  input: CheckedAgent<AgentCreate & { readonly id?: string }>,
): Promise<WrittenAgent> {
  const { status: _, id = newId(), ...agent } = input.fields;
  const { provider, fallbacks, warnings } = modelsOf(services.catalogue, input);
  return services.db.inWorkspace(who, async (tx) => {
    await checkTools(tx, services.toolNames, agent);
    const owner = { workspace_id: who.workspaceId, created_by: who.userId };
    await insertAgent(tx, { ...agent, ...fallbacks, ...owner, id, provider });
    const [record, namesakes] = await Promise.all([readRecordIn(tx, "agent", id), readNamesakes(tx, id)]);
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
export async function getAgent(services: Services, who: Principal, id: string): Promise<JsonText> {
  return found(await readRecord(services.db, who, "agent", id));
}

/** Lists the tags of the workspace's agents. */
export function listAgentTags({ db }: Pick<Services, "db">, who: Principal): Promise<string[]> {
  return listTags(db, who, MAX_LISTED_TAGS);
}

/**
 * Changes the given fields of an agent. A new model sets its own provider unless one is given.
 * @throws AppError `not_found`; `bad_request` when model and provider do not match, the model does not accept the
 * reasoning effort, the workspace has no such voice, template, knowledge base, output route or tool, or `needs_review`
 * would become true.
 */
export async function updateAgent(
  services: Services,
  who: Principal,
  { id, patch }: { readonly id: string; readonly patch: CheckedAgent<AgentPatch> },
): Promise<WrittenAgent> {
  return services.db.inWorkspace(who, async (tx) => {
    const current = found(await lockAgent(tx, id));
    if (patch.fields.needs_review === true && !current.needsReview) throw reviewed();
    await checkTools(tx, services.toolNames, patch.fields);
    const { changes, warnings } = withModels(services.catalogue, patch, current);
    await writeAgent(tx, id, changes);
    return { record: found(await readRecordIn(tx, "agent", id)), warnings: warnings.map(messageOf) };
  });
}

/** Deletes agents, all or none. Their unfinished tasks are cancelled first. @throws AppError `not_found`. */
export async function deleteAgents(services: Services, who: Principal, ids: readonly string[]): Promise<void> {
  await changeWorkspace(services, who, async (tx) => {
    if ((await lockAgents(tx, ids)) < ids.length) throw notFound("Agent");
    const active = await lockOpenRunsOf(tx, ids);
    await allSettledOrThrow(active.map((taskId) => cancelRun(tx, taskId)));
    await removeAgents(tx, ids);
    tx.publish(...active);
  });
}

function reviewed(): AppError {
  const message = "can only be set to false: the agent has no review to wait for";
  return invalid("body", [{ path: "needs_review", message }]);
}

function messageOf({ message }: FieldIssue): string {
  return message;
}
