import { findRunnableModels, listRunnableModels } from "#db/queries/conversations/runnable-models.ts";
import { AppError } from "#domain/errors.ts";
import type { ListedModel, ModelName, NamedModel } from "#domain/models/runnable-model.ts";
import type { Workspace } from "../workspace.ts";

/** Clients cannot show longer menus. */
const MAX_LISTED = 1_000;
const DELETED = "deleted";

/** Lists the newest thousand agents and teams of the caller's workspace, as models. */
export async function listModels(workspace: Workspace): Promise<readonly (ListedModel & ModelName)[]> {
  const found = await listRunnableModels(workspace, MAX_LISTED);
  const counts = new Map<string, number>();
  for (const { name } of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  return found.map((each) => ({ ...each, model: counts.get(each.name) === 1 ? each.name : each.id }));
}

/**
 * Finds the agent or team that a request names as its model, by id or name.
 * @throws AppError `not_found`; `bad_request` for a name that is not unique.
 */
export async function resolveModel(workspace: Workspace, model: string): Promise<NamedModel> {
  const [found, ...others] = await findRunnableModels(workspace, model);
  if (found === undefined) {
    const message = `The model ${JSON.stringify(model)} does not exist: name an agent or a team.`;
    throw new AppError("not_found", message, { details: [{ path: "model", message: "does not exist" }] });
  }
  if (others.length > 0) {
    throw new AppError("bad_request", `Several agents or teams are called ${JSON.stringify(model)}: use an id.`);
  }
  return { ...found, model };
}

/** Returns the agent or team that a task is assigned to; a placeholder for a deleted one. */
export async function modelOf(workspace: Workspace, assigneeId: string | null): Promise<NamedModel> {
  const [found] = assigneeId === null ? [] : await findRunnableModels(workspace, assigneeId);
  if (found !== undefined) return { ...found, model: found.name };
  return { id: "", name: DELETED, model: DELETED, kind: "agent", created: 0, templated: true, settings: null };
}
