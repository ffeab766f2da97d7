import type { ServerContext } from "@modelcontextprotocol/server";
import type { CallEvent } from "#operations/conversations/call-agent.ts";

/**
 * The interval without events after which progress is notified anyway, in milliseconds: well below the 60 s after which
 * the SDKs' clients end a call, unless they reset this time with each notification.
 */
const QUIET_MS = 15_000;

/** The progress notifications of a call. */
export interface Progress {
  /**
   * Reports an agent's events, in one notification, and what the call waits for. Text is reported in the model's own
   * deltas.
   */
  report(events: readonly CallEvent[], waitsFor?: string): Promise<void>;
  /** Ends the notifications; call it when the call ends. */
  stop(): void;
}

/** Starts the progress notifications of a request; undefined unless the client sent a progress token. */
export function startProgress(request: Pick<ServerContext["mcpReq"], "_meta" | "notify">): Progress | undefined {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  // A client that is gone ends the call by itself.
  const notifyQuiet = () => void notify({}).catch(() => undefined);
  const timer = setInterval(notifyQuiet, QUIET_MS);

  async function notify(said: { readonly message?: string }): Promise<void> {
    progress += 1;
    await request.notify({ method: "notifications/progress", params: { progressToken, progress, ...said } });
  }

  return {
    async report(events, waitsFor) {
      const message = [...events.map(describe), waitsFor === undefined ? "" : `[${waitsFor}]`].join("");
      if (message === "") return;
      timer.refresh();
      await notify({ message });
    },
    stop: () => clearInterval(timer),
  };
}

function describe(event: CallEvent): string {
  switch (event.type) {
    case "TEXT_MESSAGE_CONTENT":
      return event.delta;
    case "TOOL_CALL_START":
      return `[calling ${event.toolCallName}]`;
    case "INTERACTION_REQUEST":
    case "CUSTOM":
    case "RUN_FINISHED":
    case "RUN_ERROR":
      return "";
  }
}
