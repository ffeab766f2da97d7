import { isDeepStrictEqual } from "node:util";
import { invalid } from "#domain/invalid.ts";
import type { ReasoningEffort, ReasoningSummary } from "#domain/models/model-catalogue.ts";
import type { ClientRequest } from "#domain/tasks/client-request.ts";
import type { AskedFormat } from "#protocols/openai/format.ts";
import type { Services } from "../context.ts";
import { effortIssue } from "../models/check-models.ts";
import { assertUsableSchema } from "../tools/custom-tools/check-schema.ts";
import type { NamedModel } from "#domain/models/runnable-model.ts";
import type { Workspace } from "../workspace.ts";

/** What a request asks of its run, in place of the agent's own settings. */
export interface AskedChanges {
  readonly format: AskedFormat | undefined;
  readonly effort: ReasoningEffort | undefined;
  /** The field of the request that contains the effort. */
  readonly effortPath: string;
  /** The readable form of the reasoning, for an agent that shows it. */
  readonly summary?: ReasoningSummary | undefined;
}

/**
 * Returns the fields of an agent that a request replaces for its run. Call it before any transaction: the check of a
 * schema may be queued.
 * @throws AppError `bad_request` for what the agent, its model or a team cannot do; as {@link assertUsableSchema}.
 */
export async function changesForRun(
  workspace: Workspace,
  asked: AskedChanges & { readonly model: NamedModel },
): Promise<ClientRequest["agent"]> {
  const { model, format, effort, summary } = asked;
  const outputSchema = format && (await usableSchema(workspace, { model, format }));
  const own = effort === undefined ? model.settings?.reasoning : acceptedReasoning(workspace, { ...asked, effort });
  const shown = own?.show === true ? summary : undefined;
  const reasoning = (effort ?? shown) && own && { ...own, ...(shown && { summary: shown }) };
  return { ...(outputSchema && { output_schema: outputSchema }), ...(reasoning && { reasoning }) };
}

/** An agent's own schema satisfies a request for any object; it is never replaced by another one. */
async function usableSchema(
  workspace: Workspace,
  { model: { settings, templated }, format: { schema, path } }: { model: NamedModel; format: AskedFormat },
) {
  const issue = (message: string) => invalid("body", [{ path, message }]);
  if (settings === null) throw issue("a team has no output schema: use an agent, or the type text");
  if (templated) throw issue("the agent's output template renders its result: use the type text");
  const own = settings.output_schema;
  if (own !== null) {
    const isMet = isDeepStrictEqual(own, schema) || (isAnyObject(schema) && own["type"] === "object");
    if (!isMet) throw issue("the agent has an output schema of its own, which cannot be replaced: use the type text");
    return undefined;
  }
  await assertUsableSchema(workspace, workspace.who.workspaceId, { path, schema });
  return schema;
}

function isAnyObject(schema: AskedFormat["schema"]): boolean {
  return isDeepStrictEqual(schema, { type: "object" });
}

function acceptedReasoning(
  { catalogue }: Services,
  {
    model: { settings },
    effort,
    effortPath: path,
  }: Pick<AskedChanges, "effortPath"> & { readonly model: NamedModel; readonly effort: ReasoningEffort },
) {
  if (settings === null) throw invalid("body", [{ path, message: "a team has no effort of its own: use an agent" }]);
  const reasoning = { ...settings.reasoning, effort };
  const issue = effortIssue(catalogue, { ...settings, reasoning });
  if (issue !== undefined) throw invalid("body", [{ ...issue, path }]);
  return reasoning;
}
