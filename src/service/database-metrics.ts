import { setTimeout as sleep } from "node:timers/promises";
import { Counter, Gauge } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import type { GateFigures, OperatorFigures, ServerFigures } from "#db/queries/queue/operator-figures.ts";
import { createdAt } from "#lib/ids.ts";
import type { MetricSources } from "./metrics.ts";

/** Prometheus waits for 10 s by default, and other scrapers less. */
const DATABASE_ANSWER_MS = 1_500;

const MS_PER_SECOND = 1_000;

/** Creates the metrics that are read from the database; they are not registered yet. */
export function databaseMetrics(readFigures: MetricSources["readFigures"]): (Counter | Gauge)[] {
  const registers: Registry[] = [];
  const read = shared(readFigures);

  const server = (name: string, help: string, valueOf: (figures: ServerFigures) => number | null) =>
    new Gauge({
      registers,
      name,
      help,
      async collect() {
        const figures = await read();
        const value = figures === undefined ? null : valueOf(figures.server);
        if (value === null) this.remove();
        else this.set(value);
      },
    });

  const gates = (name: string, help: string, valueOf: (figures: GateFigures) => number) =>
    new Gauge({
      registers,
      name,
      help,
      labelNames: ["provider"],
      async collect() {
        this.reset();
        for (const gate of (await read())?.gates ?? []) this.set({ provider: gate.provider }, valueOf(gate));
      },
    });

  return [
    new Gauge({
      registers,
      name: "muster_database_up",
      help: "1 when the database answers, else 0; then the metrics that are read from it are missing.",
      async collect() {
        this.set((await read()) === undefined ? 0 : 1);
      },
    }),
    new Gauge({
      registers,
      name: "muster_jobs",
      help: "Jobs in the database; the same in every process.",
      labelNames: ["kind", "state"],
      async collect() {
        this.reset();
        for (const { kind, state, jobs } of (await read())?.jobs ?? []) this.set({ kind, state }, jobs);
      },
    }),
    new Gauge({
      registers,
      name: "muster_oldest_waiting_job_seconds",
      help: "Age of the oldest job that no process has claimed yet, though it could.",
      labelNames: ["kind"],
      async collect() {
        this.reset();
        for (const { kind, oldest } of (await read())?.jobs ?? []) {
          if (oldest !== null) this.set({ kind }, Math.max(0, Date.now() - createdAt(oldest)) / MS_PER_SECOND);
        }
      },
    }),
    new Counter({
      registers,
      name: "muster_runs_ended_total",
      help: "Ended runs of the installation since it counts them; the same in every process, so use max, not sum, over processes. team_run: of teams, with their tasks.",
      labelNames: ["kind", "status", "error_code"],
      async collect() {
        this.reset();
        for (const { kind, status, errorCode, runs } of (await read())?.runs ?? []) {
          this.inc({ kind, status, error_code: errorCode }, runs);
        }
      },
    }),
    gates(
      "muster_provider_calls_waiting",
      "Model calls that wait for a limit of their provider.",
      (gate) => gate.waiting,
    ),
    gates(
      "muster_provider_gates_closed",
      "Models whose provider has just rejected a call by a limit.",
      (gate) => gate.closed,
    ),
    server(
      "muster_schedule_lateness_seconds",
      "How long the most overdue schedule is due; 0 when none is.",
      (figures) => figures.scheduleLateness,
    ),
    server(
      "muster_oldest_question_seconds",
      "Age of the oldest open question to a person; 0 when there is none.",
      (figures) => figures.oldestQuestion,
    ),
    server(
      "muster_backup_age_seconds",
      "Age of the last complete backup by muster backup; missing before the first.",
      (figures) => figures.backupAge,
    ),
    server(
      "muster_keys_expiring",
      "Keys that expire within 14 days, without those that another replaces.",
      (figures) => figures.keysExpiring,
    ),
    server(
      "muster_mcp_accounts_lost",
      "Accounts at MCP servers that must be connected again: calls that need them wait.",
      (figures) => figures.accountsLost,
    ),
    server(
      "muster_database_xid_age",
      "Age of the oldest transaction id that is not frozen; PostgreSQL stops at 2,146,483,648.",
      (figures) => figures.xidAge,
    ),
    server(
      "muster_database_oldest_transaction_seconds",
      "Age of the oldest open transaction; those of other roles count with the role pg_monitor only.",
      (figures) => figures.oldestTransaction,
    ),
    server(
      "muster_database_notify_queue_ratio",
      "Used part of the database's queue of notifications, 0 to 1.",
      (figures) => figures.notifyQueue,
    ),
  ];
}

/** All metrics share one answer; undefined when there is none in time. */
function shared(readFigures: MetricSources["readFigures"]): () => Promise<OperatorFigures | undefined> {
  let reading: Promise<OperatorFigures | undefined> | undefined;
  return () =>
    (reading ??= Promise.race([readFigures(), sleep(DATABASE_ANSWER_MS, undefined, { ref: false })])
      .catch(() => undefined)
      .finally(() => (reading = undefined)));
}
