import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../eventually.ts";
import type { Cluster } from "./cluster.ts";
import type { PostgresNode } from "./node.ts";

/** For longer than a lease of Muster lasts. */
const FROZEN_MS = 8_000;
const POOLER_AWAY_MS = 3_000;
const CHECKS_LATE_MS = 3_000;
const FULL_MS = 5_000;

/** A fault of the database. */
export interface Fault {
  readonly name: string;
  /** Whether it can be injected here; always when absent. */
  isPossible?(cluster: Cluster): boolean;
  /** Injects it, and resolves when there is a way to a primary again. */
  inject(cluster: Cluster): Promise<void>;
  /** Makes everything whole again, where the fault leaves something. */
  repair?(cluster: Cluster): Promise<void>;
}

/** The faults that each part of the database is tried with, one after another. */
export const FAULTS: readonly Fault[] = [
  {
    name: "the primary is killed, the standby promoted",
    async inject({ pair }) {
      await pair.primary().kill();
      await pair.failOver();
    },
    repair: ({ pair }) => pair.rejoin(),
  },
  {
    name: "the primary's host is cut off, the standby promoted",
    async inject({ pair }) {
      pair.primary().line.cut();
      await pair.failOver();
    },
    repair: ({ pair }) => pair.rejoin(),
  },
  {
    name: "switchover, lines to the former primary stay open",
    async inject({ pair, frontends }) {
      await frontends.keepLines();
      await pair.switchOver(CHECKS_LATE_MS);
      await frontends.reconnectPooler();
    },
    repair: ({ frontends }) => frontends.endLines(),
  },
  {
    name: "PgBouncer is killed",
    async inject({ frontends }) {
      await frontends.killPooler();
      await sleep(POOLER_AWAY_MS);
      frontends.startPooler();
    },
  },
  {
    name: "the primary is frozen",
    async inject({ pair }) {
      pair.primary().freeze();
      await sleep(FROZEN_MS);
      pair.primary().thaw();
    },
  },
  {
    name: "the primary's disk is full",
    isPossible: ({ pair, diskOf }) => diskOf(pair.primary()) !== undefined,
    async inject({ pair, diskOf }) {
      const primary = pair.primary();
      await diskOf(primary)?.fill();
      await eventually("a write fails", () => failsToWrite(primary));
      await sleep(FULL_MS);
      await diskOf(primary)?.free();
      await eventually("it is up again", async () => {
        // It ends when it can neither write its log nor recover.
        if (!primary.isUp()) await primary.start();
        return answers(primary);
      });
    },
  },
];

/** Takes a new file for the log of writes each time, until there is no room for one. */
async function failsToWrite(node: PostgresNode): Promise<boolean> {
  return !(await answers(node, "create table filling (); drop table filling; select pg_switch_wal()"));
}

function answers(node: PostgresNode, statement = "select 1"): Promise<boolean> {
  return node.query(statement).then(
    () => true,
    () => false,
  );
}
