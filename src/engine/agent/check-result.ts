import { readJsonReply, repairNotice } from "#domain/agents/json-result.ts";
import type { FieldIssue } from "#domain/errors.ts";
import type { ModelMessage } from "#domain/models/model-call.ts";
import { replyCalls, replyText } from "#domain/models/reply-parts.ts";
import type { RunJob } from "#domain/tasks/run-job.ts";
import { UnusableSchemaError } from "#lib/json-schema/unusable-schema-error.ts";
import { SandboxLimitError } from "#lib/sandbox/sandbox-error.ts";
import type { EngineServices } from "../run/run-context.ts";
import type { ModelReply } from "./stream-reply.ts";

/** A final reply that ended otherwise and has no text is no result at all: `finishOf` says why. */
const COMPLETE = "stop";

/** The agent whose result it is. */
type ResultJob = Pick<RunJob, "workspaceId" | "agent">;

/** Returns how a model's reply violates the agent's output schema; nothing for a reply with tool calls. */
export async function replyIssues(
  engine: Pick<EngineServices, "schemas">,
  job: ResultJob,
  { parts, end }: ModelReply,
): Promise<readonly FieldIssue[]> {
  const text = replyText(parts);
  const isResult = replyCalls(parts).length === 0 && (text.trim() !== "" || end.reason === COMPLETE);
  return isResult ? resultIssues(engine, job, text) : [];
}

/** Returns how a result violates the agent's output schema; nothing for an agent without one. */
export async function resultIssues(
  { schemas }: Pick<EngineServices, "schemas">,
  { workspaceId, agent }: ResultJob,
  result: string,
): Promise<readonly FieldIssue[]> {
  if (agent.output_schema == null) return [];
  const json = readJsonReply(result);
  if (json.text === undefined) return [{ path: "", message: json.fault }];
  try {
    return await schemas.check(workspaceId, agent.output_schema, json.value);
  } catch (error) {
    // Both are faults of the schema, and no reason to lose a reply that is paid.
    if (error instanceof UnusableSchemaError) return [{ path: "", message: `cannot be checked: ${error.message}` }];
    if (error instanceof SandboxLimitError) return [{ path: "", message: "takes too long to check" }];
    throw error;
  }
}

/** The result of a run: for an agent with an output schema, the JSON of the text that satisfies it. */
export function resultOf({ agent }: Pick<ResultJob, "agent">, text: string): string {
  return agent.output_schema == null ? text : (readJsonReply(text).text ?? text);
}

/** Tells the model how its result violates the output schema. */
export function repairMessage(issues: readonly FieldIssue[]): ModelMessage {
  return { role: "user", content: repairNotice(issues), isNotice: true };
}
