import { setTimeout as sleep } from "node:timers/promises";
import { unusable } from "./judge-replica.ts";
import type { Verdict } from "./judge-replica.ts";

/** How long a verdict counts, in milliseconds. */
const FRESH_MS = 1_000;
/** How long a request waits for a verdict at most, in milliseconds. */
const PROBE_MS = 500;

const LATE = unusable("unreachable", `It does not answer within ${PROBE_MS} ms.`);

/** The replica did not answer a probe while a report was read from it. */
export class ReplicaLostError extends Error {
  override readonly name = "ReplicaLostError";
}

/** Knows whether a replica can be used. */
export interface ReplicaWatch {
  /**
   * The verdict on the replica, at most a second old. Only a request that finds it usable waits for a new verdict, half
   * a second at most; of a replica that cannot be used a new verdict is asked for the next request.
   */
  check(): Promise<Verdict>;
  /** Runs a read, which is given up when the replica stops answering. @throws ReplicaLostError */
  during<T>(read: () => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * Watches a replica, only while it is asked for.
 * @param judge may reject or never end
 * @param onVerdict is told of each verdict
 */
export function watchReplica(judge: () => Promise<Verdict>, onVerdict: (verdict: Verdict) => void): ReplicaWatch {
  let verdict = unusable("unknown", "It was not asked yet.");
  let judgedAt = -Infinity;
  let looking: Promise<void> | undefined;
  const reads = new Set<(error: ReplicaLostError) => void>();
  let ticking: NodeJS.Timeout | undefined;

  /** One probe at a time: those of a server that does not answer would pile up. */
  function look(): Promise<void> {
    return (looking ??= probe());
  }

  function probe(): Promise<void> {
    const judged = judge().catch((error: unknown) => unusable("unreachable", messageOf(error)));
    void judged.then(() => (looking = undefined));
    return Promise.race([judged, sleep(PROBE_MS, LATE, { ref: false })]).then(decide);
  }

  function decide(next: Verdict): void {
    verdict = next;
    judgedAt = performance.now();
    onVerdict(next);
    if (next.isUsable || next.obstacle !== "unreachable") return;
    for (const giveUp of reads) giveUp(new ReplicaLostError(next.text));
  }

  return {
    async check() {
      if (performance.now() - judgedAt < FRESH_MS) return verdict;
      const looked = look();
      if (verdict.isUsable) await looked;
      return verdict;
    },
    async during(read) {
      const lost = Promise.withResolvers<never>();
      reads.add(lost.reject);
      ticking ??= setInterval(() => void look(), PROBE_MS).unref();
      try {
        return await Promise.race([read(), lost.promise]);
      } finally {
        reads.delete(lost.reject);
        if (reads.size === 0) stopTicking();
      }
    },
    close: stopTicking,
  };

  function stopTicking(): void {
    clearInterval(ticking);
    ticking = undefined;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `It cannot be asked: ${error.message}` : String(error);
}
