import { z } from "zod";
import { startTask } from "./runs.ts";
import type { ApiService } from "./runs.ts";
import { readToEnd } from "./sse-client.ts";
import type { StreamService } from "./sse-client.ts";
import { ofType } from "./valid-stream.ts";

const toolEnd = z.looseObject({ result: z.string() });

/** A tool call that the demo model should make. */
export interface ToolCallOrder {
  readonly agentId: string;
  readonly name: string;
  readonly args: unknown;
}

/** The words that make the demo model call a tool. */
export function orderOf(name: string, args: unknown): string {
  return `[[slow:0]][[tool:${name} ${JSON.stringify(args)}]]`;
}

/** Lets an agent of the demo model call a tool in its own task; returns the tool's result. */
export async function toolResult(
  service: ApiService & StreamService,
  { agentId, name, args }: ToolCallOrder,
): Promise<string> {
  const taskId = await startTask(service, agentId, { description: orderOf(name, args) });
  const events = await readToEnd(service, { agentId, taskId });
  const [end] = ofType(events, "TOOL_CALL_END");
  return toolEnd.parse(end).result;
}
