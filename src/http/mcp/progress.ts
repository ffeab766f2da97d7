import type { ServerContext } from "@modelcontextprotocol/server";
import type { CallEvent } from "#operations/protocols/call-agent.ts";

/**
 * Reports an agent's events as progress notifications, one for each batch. Undefined unless the client sent a progress
 * token. Text is reported in the model's own deltas.
 */
export function progressReporter({
  mcpReq,
}: ServerContext): ((events: readonly CallEvent[]) => Promise<void>) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return async (events) => {
    const message = events.map(describe).join("");
    if (message === "") return;
    progress += 1;
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } });
  };
}

function describe(event: CallEvent): string {
  switch (event.type) {
    case "TEXT_MESSAGE_CONTENT":
      return event.delta;
    case "TOOL_CALL_START":
      return `[calling ${event.toolCallName}]`;
    case "INTERACTION_REQUEST":
      return `[waiting for an answer: ${event.title}]`;
    case "RUN_FINISHED":
    case "RUN_ERROR":
      return "";
  }
}
