import type { ReplicaFacts } from "../queries/replica-facts.ts";

/** Why reports are read from the primary. */
export type Obstacle =
  /** The replica was not asked yet. */
  | "unknown"
  /** It does not answer, or too slowly. */
  | "unreachable"
  /** It is a primary itself, as after a promotion. */
  | "not_standby"
  /** It is a replica of another database. */
  | "other_database"
  | "other_role"
  /** It has not replayed the migrations of the primary. */
  | "other_schema"
  /** It is behind by more than is allowed. */
  | "lag"
  /** All connections to it are in use. */
  | "busy"
  /** It rejected a statement, or the connection was lost. */
  | "failed";

/** Whether a replica may answer reports. */
export type Verdict =
  | { readonly isUsable: true; readonly lagMs: number }
  | {
      readonly isUsable: false;
      readonly obstacle: Obstacle;
      /** One sentence for the operator. */
      readonly text: string;
    };

/**
 * Judges a server that is meant to be a replica of the primary. It is up to date when it has replayed all that the
 * primary had written; otherwise it is as old as the last commit that it has replayed, by the primary's clock.
 */
export function judgeReplica(
  { primary, replica }: { readonly primary: ReplicaFacts; readonly replica: ReplicaFacts },
  maxLagMs: number,
): Verdict {
  if (replica.isStandby !== true) return unusable("not_standby", "It is not a standby, but a primary itself.");
  if (replica.database !== primary.database)
    return unusable("other_database", "It is a standby of another database than DATABASE_URL's.");
  if (replica.role !== primary.role)
    return unusable(
      "other_role",
      `Its role is ${replica.role ?? "none"}, and that of DATABASE_URL ${primary.role ?? "none"}.`,
    );
  if (replica.schemaVersion !== primary.schemaVersion)
    return unusable(
      "other_schema",
      `It has the schema version ${replica.schemaVersion ?? 0}, and the primary ${primary.schemaVersion ?? 0}.`,
    );
  const lagMs = lagOf(primary, replica);
  if (lagMs <= maxLagMs) return { isUsable: true, lagMs };
  const lag = lagMs === Infinity ? "an unknown time" : `${seconds(lagMs)} s`;
  return unusable("lag", `It is ${lag} behind the primary; ${seconds(maxLagMs)} s are allowed (DATABASE_READ_LAG).`);
}

/** What an obstacle means when the replica cannot be asked. */
export function unusable(obstacle: Obstacle, text: string): Verdict {
  return { isUsable: false, obstacle, text };
}

function lagOf(primary: ReplicaFacts, { position, replayedUntil }: ReplicaFacts): number {
  if (position !== null && primary.position !== null && position >= primary.position) return 0;
  if (replayedUntil === null || primary.now === null) return Infinity;
  return Math.max(0, primary.now - replayedUntil);
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(ms < 10_000 ? 1 : 0).replace(/\.0$/, "");
}
