import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { RemoteAgentError } from "./remote-card.ts";
import type { RemoteCard } from "./remote-card.ts";
import { METHOD_NOT_FOUND, RejectedError, TASK_NOT_FOUND, UNSUPPORTED_OPERATION } from "./remote-transport.ts";
import { createRestTransport } from "./rest-transport.ts";
import { createRpcTransport } from "./rpc-transport.ts";

const CANCEL_TIMEOUT_MS = 5_000;

/** The errors of an agent that has no streams, although its card says so. */
const NO_STREAMS: ReadonlySet<number | undefined> = new Set([METHOD_NOT_FOUND, UNSUPPORTED_OPERATION]);

/** A message to a remote agent. */
export interface RemoteMessage {
  /** The same id when the message is sent again. */
  readonly messageId: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The task to continue. */
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
}

/** Calls a remote agent over A2A in its card's version and binding. */
export interface RemoteClient {
  /**
   * Sends a message and yields the results as they arrive: a stream if the agent supports it, or else one response. An
   * agent that announces streams and rejects the method gets the message without one.
   * Pass the results to {@link createProgressCollector}.
   * @throws RemoteAgentError; FetchFailedError; the signal's reason
   */
  send(message: RemoteMessage, signal: AbortSignal): AsyncGenerator;
  /** The task's current state; undefined when the agent does not know it. @throws as {@link RemoteClient.send} */
  getTask(taskId: string, signal: AbortSignal): Promise<unknown>;
  /** Asks the agent to cancel a task; the agent may refuse. */
  cancelTask(taskId: string): Promise<void>;
}

/** Creates a client. The token is sent as a bearer token with every request. */
export function createRemoteClient(fetch: SafeFetch, card: RemoteCard, token: string | undefined): RemoteClient {
  const create = card.binding === "JSONRPC" ? createRpcTransport : createRestTransport;
  const { call, stream } = create(fetch, card, token);
  return {
    async *send(message, signal) {
      const params = sendParams(card.protocol, message);
      let hasBegun = false;
      try {
        if (card.streaming) {
          for await (const result of stream("stream", params, signal)) {
            hasBegun = true;
            yield result;
          }
          return;
        }
      } catch (error) {
        signal.throwIfAborted();
        const hasNone = !hasBegun && error instanceof RejectedError && NO_STREAMS.has(error.code);
        if (!hasNone) throw explained(error);
      }
      // An agent without streams may do its work before it responds; only the signal limits that.
      yield await call("send", params, { signal, timeoutMs: Infinity }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw explained(error);
      });
    },
    async getTask(taskId, signal) {
      return call("get", { id: taskId }, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof RejectedError && error.code === TASK_NOT_FOUND) return undefined;
        throw explained(error);
      });
    },
    async cancelTask(taskId) {
      await call("cancel", { id: taskId }, { timeoutMs: CANCEL_TIMEOUT_MS }).catch((error: unknown) => {
        if (!(error instanceof RejectedError)) throw error;
      });
    },
  };
}

/** The error of a request as one of the documented ones: any other is caused by the remote agent, too. */
function explained(error: unknown): Error {
  if (error instanceof RemoteAgentError || error instanceof FetchFailedError) return error;
  // undici reports a lost connection as a TypeError.
  if (error instanceof TypeError)
    return new FetchFailedError("The connection to the remote agent was lost.", { cause: error });
  const reason = error instanceof Error ? error.message : String(error);
  return new RemoteAgentError(`The remote agent cannot be used: ${reason}`, { cause: error });
}

function sendParams(protocol: RemoteCard["protocol"], { text, ...given }: RemoteMessage): object {
  if (protocol === "1.0") {
    const message = { ...given, role: "ROLE_USER", parts: [{ text, mediaType: "text/plain" }] };
    return { message, configuration: { returnImmediately: true } };
  }
  const message = { ...given, kind: "message", role: "user", parts: [{ kind: "text", text }] };
  return { message, configuration: { blocking: false } };
}
