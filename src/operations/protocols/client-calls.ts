import { createHash } from "node:crypto";

/** A call of a client, by the client's own number for it. */
export interface ClientCall {
  /** The key with which the client called. */
  readonly keyId: string;
  /** The id of its JSON-RPC request. */
  readonly requestId: string | number;
}

/**
 * The calls in progress of clients without a session, who cancel with a request of its own that can reach any process.
 * Several clients with the same key may use the same request id: then nothing is cancelled, since it is not known whose
 * call is meant.
 */
export interface ClientCalls {
  /** Adds a call for as long as `run` takes; its signal fires when `signal` does or the client cancels. */
  during<T>(call: ClientCall, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Cancels a call, on whichever process it is. */
  cancel(call: ClientCall): void;
  /** Cancels a call of this process, by the name that another process announced. */
  cancelNamed(name: string): void;
}

/**
 * Creates the calls of this process.
 * @param announce tells the other processes to cancel the call of this name (32 hex digits)
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

/** Short, whatever a client takes for an id; `1` and `"1"` are different ids. */
function nameOf({ keyId, requestId }: ClientCall): string {
  return createHash("sha256")
    .update(JSON.stringify([keyId, requestId]))
    .digest("hex")
    .slice(0, 32);
}
