import { codeOf } from "#lib/error-code.ts";
import type { PoolUse, Queries, Reports } from "../database.ts";
import { openPool } from "../pool.ts";
import { readReplicaFacts } from "../queries/replica-facts.ts";
import { ANSWER_MS, STATEMENT_MS, sessionsOn } from "../sessions.ts";
import type { Sessions } from "../sessions.ts";
import { judgeReplica } from "./judge-replica.ts";
import type { Obstacle, Verdict } from "./judge-replica.ts";
import { watchReplica } from "./watch-replica.ts";

/** Connections of a process to a replica besides those of requests: for probes, and for the service's own reports. */
export const RESERVED_REPLICA_CONNECTIONS = 2;

/** The time limit of a probe's answer, in milliseconds. */
const PROBE_ANSWER_MS = 5_000;
/** A statement exceeded its time limit: it would at the primary, too. */
const CANCELLED = "57014";

/** A read replica, and how it is used. */
export interface ReplicaOptions {
  /** Its address, with the service's own role. */
  readonly url: string;
  /** Its address with the role of requests. */
  readonly requestUrl: string;
  /** Connections for requests. */
  readonly poolSize: number;
  readonly maxLagMs: number;
  /** Called with each report: why the primary answered it; undefined: the replica did. */
  readonly onRead: (obstacle: Obstacle | undefined) => void;
  /** Called with each verdict on the replica. */
  readonly onVerdict: (verdict: Verdict) => void;
}

/** An open replica. */
export interface Replica {
  readonly reports: Reports;
  use(): PoolUse;
  close(): Promise<void>;
}

/**
 * Opens a replica for reports. The primary answers when the replica is not up to date enough, when it cannot be used,
 * and when it fails: then the whole report is read again.
 * @param primary answers probes without delay
 */
export function openReplica(
  { primary, reports }: { readonly primary: Queries; readonly reports: Reports },
  { url, requestUrl, poolSize, maxLagMs, onRead, onVerdict }: ReplicaOptions,
): Replica {
  const probes = openSessions(url, 1, PROBE_ANSWER_MS);
  const own = openSessions(url, 1);
  const requests = openSessions(requestUrl, poolSize);
  const watch = watchReplica(() => probeReplica(primary, probes.sessions, maxLagMs), onVerdict);
  void watch.check();

  async function read<T>(
    { sessions, isBusy }: Opened,
    fromReplica: (of: Sessions) => Promise<T>,
    fromPrimary: () => Promise<T>,
  ) {
    const verdict = await watch.check();
    let obstacle: Obstacle = isBusy() ? "busy" : "failed";
    if (!verdict.isUsable) obstacle = verdict.obstacle;
    else if (obstacle !== "busy") {
      try {
        const result = await watch.during(() => fromReplica(sessions));
        onRead(undefined);
        return result;
      } catch (error) {
        if (codeOf(error) === CANCELLED) throw error;
      }
    }
    onRead(obstacle);
    return fromPrimary();
  }

  return {
    reports: {
      query: (statement, values = []) =>
        read(
          own,
          (sessions) =>
            sessions.transaction(undefined, (tx) =>
              tx.queryOnce({ text: statement.text, values, timeoutMs: STATEMENT_MS }),
            ),
          () => reports.query(statement, values),
        ),
      inWorkspace(who) {
        const atPrimary = reports.inWorkspace(who);
        return {
          who,
          query: (statement, values) =>
            read(
              requests,
              (sessions) => sessions.queryInWorkspace(who, statement, values),
              () => atPrimary.query(statement, values),
            ),
          transaction: (run) =>
            read(
              requests,
              (sessions) => sessions.transaction(who, run),
              () => atPrimary.transaction(run),
            ),
        };
      },
    },
    use: () => ({ pool: "replica", ...requests.sessions.use() }),
    async close() {
      watch.close();
      await Promise.all([probes, own, requests].map(({ sessions }) => sessions.close()));
    },
  };
}

/** Asks both servers, and judges the replica. Rejects when one of them does not answer. */
export async function probeReplica(primary: Queries, replica: Queries, maxLagMs: number): Promise<Verdict> {
  const [ofPrimary, ofReplica] = await Promise.all([readReplicaFacts(primary), readReplicaFacts(replica)]);
  return judgeReplica({ primary: ofPrimary, replica: ofReplica }, maxLagMs);
}

interface Opened {
  readonly sessions: Sessions;
  /** Whether another statement would have to wait for a connection. */
  readonly isBusy: () => boolean;
}

/** Nothing is kept in sessions, so that a transaction pooler may be in between. */
function openSessions(url: string, size: number, answerMs = ANSWER_MS): Opened {
  const sessions = sessionsOn(openPool({ url, size, session: [], answerMs, onIdleError: () => undefined }), false);
  const isBusy = () => {
    const { total, idle } = sessions.use();
    return idle === 0 && total >= size;
  };
  return { sessions, isBusy };
}
