import { LRUCache } from "lru-cache";
import { AppError } from "#domain/errors.ts";
import { NO_LIMIT } from "#domain/access/plan.ts";
import type { PlanLimits } from "#domain/access/plan.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Tenant } from "#domain/access/role.ts";
import type { Database } from "#db/database.ts";
import { returnPermits, takePermits } from "#db/queries/access/request-counts.ts";
import type { Counted } from "#db/queries/access/request-counts.ts";
import { createPermits } from "#lib/async/permits.ts";
import type { Permits, Verdict } from "#lib/async/permits.ts";

/** Counted subjects for which a process holds permits at the same time. */
const MAX_CACHED = 10_000;

/** The number of requests allowed in a window. */
export interface RequestLimits {
  /** Per workspace and minute: at the envelope API, and once more for everything else together. */
  readonly plan: PlanLimits;
  /** Per signed-in person, workspace and minute. */
  readonly personMinute: number;
  /** At the table API, per key and minute. */
  readonly tableMinute: number;
  /** At the table API, per key and calendar month in UTC. */
  readonly tableMonth: number;
}

/** The surfaces whose counts the plan of a workspace limits. */
const PLAN_SURFACES = ["envelope", "shared"] as const;

/** Tests of provider keys per workspace and minute. */
const PROVIDER_TESTS_PER_MINUTE = 10;

/** The limit of all keys of a workspace together at the table API, in multiples of one key's limit. */
const WORKSPACE_SHARE = 4;

/** Rate limits shared by all processes. Throws when the count cannot be stored: no request passes uncounted. */
export interface RateLimits {
  /** Counts a key's request at the envelope API against its workspace's plan. */
  takeEnvelope(who: Tenant): Verdict | Promise<Verdict>;
  /**
   * Counts what comes by any other way: a key's request at another surface, rows, a delivery to a trigger, the start of
   * work by a signed-in person. The workspace's plan allows as many as at the envelope API, in a count of their own, so
   * that neither uses up the other's.
   */
  takeShared(who: Pick<Tenant, "workspaceId">, count?: number): Verdict | Promise<Verdict>;
  /** Counts any request of a signed-in person against the person's own limit. */
  takePerson(who: Pick<Principal, "workspaceId" | "userId">): Verdict | Promise<Verdict>;
  /**
   * Counts a request at the table API against its key (or its person, without a key) and against its workspace. The
   * minute is counted first, then the month. Returns the first verdict that fails, else that of the key's month.
   */
  takeTable(who: Principal): Promise<Verdict>;
  /** Counts a test of a provider key, which costs a call, against the workspace. */
  takeProviderTest(who: Tenant): Verdict | Promise<Verdict>;
  /** Returns the permits held for a workspace whose plan has changed. */
  releasePermits(workspaceId: string): void;
  /** Returns the permits of all workspaces: notifications of plan changes may have been missed. */
  invalidateAll(): void;
  /** Returns all unspent permits, when the process ends. */
  close(): Promise<void>;
}

interface HeldPermits {
  readonly counted: Counted;
  readonly permits: Permits;
}

/** Creates the limits of one process. A process that dies loses its unspent permits, at most 64, for their window. */
export function createRateLimits(db: Database, limits: RequestLimits): RateLimits {
  const held = createPermitCache(db);
  const { take } = held;
  return {
    takeEnvelope: ({ workspaceId }) => take(planCount(workspaceId, "envelope"), limits.plan),
    takeShared: ({ workspaceId }, count = 1) => take(planCount(workspaceId, "shared"), limits.plan, count),
    takePerson: ({ workspaceId, userId }) =>
      take({ ...planCount(workspaceId, "envelope"), subjectId: userId }, ofAnyPlan(limits.personMinute)),
    async takeTable({ workspaceId, keyId, userId }) {
      const key = { workspaceId, subjectId: keyId ?? userId, surface: "table" } as const;
      const workspace = { ...key, subjectId: workspaceId };
      let verdict = await take({ ...key, period: "minute" }, ofAnyPlan(limits.tableMinute));
      for (const [counted, limit] of [
        [{ ...workspace, period: "minute" }, ofWorkspace(limits.tableMinute)],
        [{ ...workspace, period: "month" }, ofWorkspace(limits.tableMonth)],
        [{ ...key, period: "month" }, ofAnyPlan(limits.tableMonth)],
      ] as const) {
        if (!verdict.passes) break;
        verdict = await take(counted, limit);
      }
      return verdict;
    },
    takeProviderTest: ({ workspaceId }) =>
      take(
        { workspaceId, subjectId: workspaceId, surface: "provider-test", period: "minute" },
        ofAnyPlan(PROVIDER_TESTS_PER_MINUTE),
      ),
    // Permits that cannot be returned are lost for their minute.
    releasePermits: (workspaceId) => {
      for (const surface of PLAN_SURFACES) void held.release(planCount(workspaceId, surface)).catch(() => undefined);
    },
    invalidateAll: () => void held.releaseAll(),
    close: held.releaseAll,
  };
}

/** The permits that this process holds, by what they count. */
function createPermitCache(db: Database) {
  const held = new LRUCache<string, HeldPermits>({ max: MAX_CACHED });

  async function giveBack({ counted, permits }: HeldPermits): Promise<void> {
    const unspent = permits.drain();
    if (unspent.count > 0) await returnPermits(db, counted, unspent);
  }

  return {
    take(counted: Counted, limit: PlanLimits, count = 1): Verdict | Promise<Verdict> {
      const id = idOf(counted);
      let found = held.get(id);
      if (found === undefined) {
        found = { counted, permits: createPermits((wanted) => ask(db, counted, { wanted, limits: limit })) };
        held.set(id, found);
      }
      return found.permits.take(count);
    },
    async release(counted: Counted): Promise<void> {
      const id = idOf(counted);
      const found = held.get(id);
      held.delete(id);
      if (found !== undefined) await giveBack(found);
    },
    async releaseAll(): Promise<void> {
      const all = [...held.values()];
      held.clear();
      await Promise.allSettled(all.map(giveBack));
    },
  };
}

async function ask(db: Database, counted: Counted, request: { readonly wanted: number; readonly limits: PlanLimits }) {
  const grant = await takePermits(db, counted, request);
  if (grant === undefined) throw new AppError("unauthorized", "The workspace no longer exists.");
  return grant;
}

/** The count of a workspace that its plan limits. */
function planCount(workspaceId: string, surface: (typeof PLAN_SURFACES)[number]): Counted {
  return { workspaceId, subjectId: workspaceId, surface, period: "minute" };
}

function idOf({ surface, period, subjectId }: Counted): string {
  return `${surface}/${period}/${subjectId}`;
}

function ofWorkspace(limit: number): PlanLimits {
  return ofAnyPlan(Math.min(NO_LIMIT, limit * WORKSPACE_SHARE));
}

function ofAnyPlan(limit: number): PlanLimits {
  return { free: limit, pro: limit, team: limit, enterprise: limit };
}
