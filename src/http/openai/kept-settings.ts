import { isDeepStrictEqual } from "node:util";
import type { AskedChanges } from "#operations/conversations/changes-for-run.ts";
import { requestOf } from "#operations/conversations/read-reply.ts";
import type { NamedModel } from "#domain/models/runnable-model.ts";
import type { ReplyPart } from "#protocols/openai/reply-event.ts";
import type { HttpWorkspace } from "../context.ts";

/**
 * Returns warnings about what a request with results asks of its run: a run that is continued keeps the settings with
 * which it began.
 */
export async function keptSettings(
  workspace: HttpWorkspace,
  asked: AskedChanges & { readonly part: ReplyPart; readonly model: NamedModel },
): Promise<readonly string[]> {
  const { part, model, format, effort, effortPath } = asked;
  const summary = model.settings?.reasoning.show === true ? asked.summary : undefined;
  if ((format ?? effort ?? summary) === undefined) return [];
  const { agent = {} } = (await requestOf(workspace, part)) ?? {};
  const schema = agent.output_schema ?? model.settings?.output_schema;
  const kept = [
    ...(format === undefined || isDeepStrictEqual(schema, format.schema) ? [] : [format.path]),
    ...(effort === undefined || effort === agent.reasoning?.effort ? [] : [effortPath]),
    ...(summary === undefined || summary === (agent.reasoning?.summary ?? "auto") ? [] : ["reasoning.summary"]),
  ];
  return kept.length === 0
    ? []
    : [`The run keeps the settings with which it began; without effect: ${kept.join(", ")}.`];
}
