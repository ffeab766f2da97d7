import { createHash } from "node:crypto";

/** A call of a client, by the client's request id. */
export interface ClientCall {
  /** The key of the client. */
  readonly keyId: string;
  /** The id of its JSON-RPC request. */
  readonly requestId: string | number;
}

/**
 * The calls in progress of clients without a session. Such a client cancels by a separate request, which can reach any
 * process. If several clients with the same key use the same request id, nothing is cancelled: the call meant is
 * unknown.
 */
export interface ClientCalls {
  /** Registers a call while `run` executes; its signal is aborted when `signal` is or the client cancels. */
  during<T>(call: ClientCall, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Cancels a call, on any process. */
  cancel(call: ClientCall): void;
  /** Cancels a call of this process, by the name that another process announced. */
  cancelNamed(name: string): void;
}

/**
 * Creates the calls of this process.
 * @param announce notifies the other processes to cancel the call of this name (32 hex digits)
 */
export function createClientCalls(announce: (name: string) => void): ClientCalls {
  const inProgress = new Map<string, Set<AbortController>>();

  function cancelNamed(name: string): void {
    const [only, ...others] = inProgress.get(name) ?? [];
    if (others.length === 0) only?.abort(new Error("The client cancelled the call."));
  }

  return {
    async during(call, signal, run) {
      const name = nameOf(call);
      const cancellation = new AbortController();
      const calls = inProgress.get(name) ?? new Set();
      inProgress.set(name, calls.add(cancellation));
      try {
        return await run(AbortSignal.any([signal, cancellation.signal]));
      } finally {
        calls.delete(cancellation);
        if (calls.size === 0) inProgress.delete(name);
      }
    },
    cancel(call) {
      const name = nameOf(call);
      cancelNamed(name);
      announce(name);
    },
    cancelNamed,
  };
}

/** Hashed, since request ids may be long; `1` and `"1"` are different ids. */
function nameOf({ keyId, requestId }: ClientCall): string {
  return createHash("sha256")
    .update(JSON.stringify([keyId, requestId]))
    .digest("hex")
    .slice(0, 32);
}
