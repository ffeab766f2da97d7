import { isDeepStrictEqual } from "node:util";
import { AppError } from "#domain/errors.ts";
import { isRejected } from "../bearer-caller.ts";
import type { BearerCaller } from "../bearer-caller.ts";
import type { OpenStreams } from "../context.ts";

/** The interval at which the credentials of open streams are checked, in milliseconds. */
const CHECK_INTERVAL_MS = 500;
const RETRY_AFTER_SECONDS = 5;

interface OpenStream {
  readonly caller: BearerCaller;
  readonly end: () => void;
}

/** Creates the register of a process. `maxPerKey` limits the streams of a key, or of a person without one. */
export function createOpenStreams(maxPerKey: number): OpenStreams {
  const byOwner = new Map<string, Set<OpenStream>>();
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    timer ??= setTimeout(() => {
      void endInvalid([...byOwner.values()].flatMap((streams) => [...streams])).finally(() => {
        timer = undefined;
        if (byOwner.size > 0) schedule();
      });
    }, CHECK_INTERVAL_MS).unref();
  }

  return {
    count: () => [...byOwner.values()].reduce((sum, { size }) => sum + size, 0),
    admit(caller, end) {
      const { owner, max } = caller.streams ?? {
        owner: caller.principal.keyId ?? caller.principal.userId,
        max: maxPerKey,
      };
      const streams = byOwner.get(owner) ?? new Set();
      if (streams.size >= max) throw caller.streams === undefined ? tooMany(maxPerKey) : tooManyTabs();
      const stream = { caller, end };
      byOwner.set(owner, streams.add(stream));
      schedule();
      return () => {
        streams.delete(stream);
        if (streams.size === 0 && byOwner.get(owner) === streams) byOwner.delete(owner);
      };
    },
  };
}

/** Checks each credential once, sequentially: the ring nearly always answers from memory. */
async function endInvalid(streams: readonly OpenStream[]): Promise<void> {
  for (const sharing of Map.groupBy(streams, ({ caller }) => `${caller.token} ${caller.address}`).values()) {
    const [first] = sharing;
    const isValid = first && (await validity(first.caller));
    for (const { caller, end } of sharing) if (isValid?.(caller) === false) end();
  }
}

/**
 * Checks a credential; returns which of its callers it still admits: those with its present reach. A credential that
 * cannot be checked now, as while the database is not available, remains valid.
 */
async function validity(of: BearerCaller): Promise<(caller: BearerCaller) => boolean> {
  try {
    const { reach } = await of.recheck();
    return ({ principal }) => isDeepStrictEqual(principal.reach, reach);
  } catch (error) {
    return () => !isRejected(error);
  }
}

function tooMany(maxPerKey: number): AppError {
  return new AppError(
    "rate_limit_exceeded",
    `This key has ${maxPerKey} open streams, as many as STREAMS_PER_KEY allows. Close one first.`,
    { headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } },
  );
}

function tooManyTabs(): AppError {
  return new AppError("rate_limit_exceeded", "This page is open too often in this browser. Close a tab first.", {
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
  });
}
