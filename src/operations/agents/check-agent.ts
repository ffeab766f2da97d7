import type { FallbackChoice } from "#domain/agents/fallback-models.ts";
import type { FieldIssue } from "#domain/errors.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import { namedFallbacks } from "../models/check-models.ts";
import { CUSTOM_ENDPOINT } from "../models/resolve-provider.ts";
import { assertUsableSchema } from "../tools/custom-tools/check-schema.ts";
import type { Workspace } from "../workspace.ts";

/** The fields of an agent that are checked outside its transaction. */
interface Checkable extends FallbackChoice {
  readonly output_schema?: Readonly<Record<string, unknown>> | null | undefined;
  /** The path of the fields in the request, such as `data.`; by default they are the body. */
  readonly under?: string;
}

/** Fields of an agent whose schema can be used. */
export interface CheckedAgent<Fields> {
  readonly fields: Fields;
  /** Why the workspace cannot call a provider, by its id; empty if no field names a fallback model. */
  readonly obstacles: ReadonlyMap<string, string>;
}

/**
 * Checks the fields of an agent before the transaction that writes them: a check may be queued.
 * @throws AppError `bad_request` for an unusable schema; `rate_limit_exceeded` when the workspace's checks use too much
 * CPU time
 */
export async function checkAgent<Fields extends Checkable>(
  workspace: Workspace,
  fields: Fields,
): Promise<CheckedAgent<Fields>> {
  const { output_schema: schema, under = "" } = fields;
  if (schema != null)
    await assertUsableSchema(workspace, workspace.who.workspaceId, { path: `${under}output_schema`, schema });
  const providers =
    namedFallbacks(fields).length === 0 ? [] : await workspace.providers.list(workspace.who.workspaceId);
  const unusable = providers.flatMap(({ id, obstacle }) => (obstacle === undefined ? [] : [[id, obstacle] as const]));
  return { fields, obstacles: new Map(unusable) };
}

/** Warnings about the fallback models that the workspace cannot call yet. @param provider the agent's */
export function obstacleWarnings(
  catalogue: ModelCatalogue,
  { fields, obstacles }: CheckedAgent<FallbackChoice>,
  provider: string,
): FieldIssue[] {
  return namedFallbacks(fields).flatMap(({ id, path }) => {
    const served = provider === CUSTOM_ENDPOINT ? provider : (catalogue.providerOf(id, provider) ?? provider);
    const obstacle = obstacles.get(served);
    return obstacle === undefined
      ? []
      : [{ path, message: `The fallback model "${id}" cannot be called: ${obstacle}` }];
  });
}
