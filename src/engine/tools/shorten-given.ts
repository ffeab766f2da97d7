import type { ModelMessage } from "#domain/models/model-call.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { maxResultLength } from "../run/context-window.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { storeLongResult } from "./store-long-result.ts";
import { toolResult } from "../run/tool-result.ts";
import type { ToolResult } from "../run/tool-result.ts";

/** A result that a person or the client gave for a call. */
interface GivenResult {
  readonly call: ToolCall;
  /** The position of the call among those of its reply, from 0. */
  readonly place: number;
  readonly result: ToolResult;
}

/** Shortens a given result that is too long for the model, as a recorded step of its call. */
export async function shortenGiven(
  engine: EngineServices,
  run: Run,
  { call, place, result }: GivenResult,
): Promise<ToolResult> {
  if (result.output.length <= maxResultLength(engine, run)) return result;
  return run.step(`tool:${call.id}:answered`, toolResult, async () => ({
    value: await storeLongResult(engine, run, { call, result }),
    record: { facts: { label: call.name, place }, request: { arguments: call.arguments } },
  }));
}

/** Shortens the results in the conversation with which a run begins: calls of other services, or of a larger model. */
export async function shortenOpening(
  engine: EngineServices,
  run: Run,
  messages: readonly ModelMessage[],
): Promise<readonly ModelMessage[]> {
  const max = maxResultLength(engine, run);
  return allSettledOrThrow(
    messages.map(async (message, index) => {
      if (message.role !== "tool" || message.isCut === true || message.output.length <= max) return message;
      const { output, isError, toolName: name } = message;
      const key = `given:${index}`;
      const stored = await run.step(key, toolResult, async () => ({
        value: await storeLongResult(engine, run, { call: { id: key, name }, result: { output, isError } }),
      }));
      return { ...message, output: stored.output, ...(stored.stored !== undefined && { isCut: true as const }) };
    }),
  );
}
