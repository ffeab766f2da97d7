import { noticeSubject } from "#domain/alerts/alert-notice.ts";
import type { AlertNotice, AlertReading } from "#domain/alerts/alert-notice.ts";
import { judgeAlert, withMinimum } from "#domain/alerts/judge-alert.ts";
import type { Database, Transaction } from "#db/database.ts";
import { readAlerts } from "#db/queries/alerts/alert-readings.ts";
import { changeStates, noteChecks } from "#db/queries/alerts/alert-states.ts";
import type { AlertChange } from "#db/queries/alerts/alert-states.ts";
import { dueAlerts, limitCheckTime, lockDueAlerts, postponeAlert } from "#db/queries/alerts/due-alerts.ts";
import type { DueAlert } from "#db/queries/alerts/due-alerts.ts";
import { isOutage } from "#db/retry-outage.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { attemptAll } from "#lib/async/attempt-all.ts";
import { newId } from "#lib/ids.ts";

/** Alerts that are checked at a poll. */
const MAX_DUE = 1_000;
/** Alerts that are checked in one transaction. */
const BATCH = 100;

/**
 * Checks the alerts that are due. One transaction locks some alerts, reads what they watch, and writes the changes of
 * their states with the deliveries of these changes. Each change is therefore sent once, with any number of processes
 * and after any crash. Returns the number of alerts.
 */
export async function checkAlerts({ db }: { readonly db: Database }): Promise<number> {
  const due = await dueAlerts(db, MAX_DUE);
  const starts = Array.from({ length: Math.ceil(due.length / BATCH) }, (_, index) => index * BATCH);
  const batches = starts.map((start) => due.slice(start, start + BATCH));
  return attemptAll(batches, 1, (ids) => checkBatch(db, ids));
}

/** Checks alerts together; one by one if they cannot be, so that none keeps the others from being checked. */
async function checkBatch(db: Database, ids: readonly string[]): Promise<number> {
  return db
    .transaction((tx) => checkLocked(tx, ids))
    .catch(async (error: unknown) => {
      if (isOutage(error)) throw error;
      const [id] = ids;
      if (ids.length > 1) return attemptAll(ids, 1, (one) => checkBatch(db, [one]));
      if (id !== undefined) await postponeAlert(db, id);
      throw error;
    });
}

async function checkLocked(tx: Transaction, ids: readonly string[]): Promise<number> {
  await limitCheckTime(tx);
  const alerts = await lockDueAlerts(tx, ids);
  if (alerts.length === 0) return 0;
  const readings = await readAll(tx, alerts);
  const checked = alerts.map((alert) => ({ alert, reading: withMinimum(alert, readings.get(alert.id) ?? NOTHING) }));
  await noteChecks(
    tx,
    checked.map(({ alert: { id }, reading: { value } }) => ({ id, value })),
  );
  const changes = checked.flatMap(({ alert, reading }) => changeOf(alert, reading));
  if (changes.length > 0) await changeStates(tx, changes);
  return alerts.length;
}

const NOTHING: AlertReading = { value: null, runs: null, failed: null, route_id: null, route_name: null };

async function readAll(tx: Transaction, alerts: readonly DueAlert[]): Promise<ReadonlyMap<string, AlertReading>> {
  const byKind = [...Map.groupBy(alerts, ({ kind }) => kind)];
  const read = byKind.map(([kind, some]) =>
    readAlerts(
      tx,
      kind,
      some.map(({ id }) => id),
    ),
  );
  return new Map((await allSettledOrThrow(read)).flat().map((row) => [row.id, row]));
}

function changeOf(alert: DueAlert, reading: AlertReading): readonly AlertChange[] {
  const state = alert.isWatched ? judgeAlert(alert, reading) : undefined;
  if (state === undefined) return [];
  const { id, name, kind, threshold, window_minutes, agent_id, team_id, target_name } = alert;
  const { value, runs, failed, route_id, route_name } = reading;
  const of = { id, name, kind, threshold, window_minutes, agent_id, team_id, target_name };
  const notice: AlertNotice = { ...of, value, runs, failed, route_id, route_name, state, is_test: false };
  return [{ id, event_id: newId(), delivery_id: newId(), subject: noticeSubject(notice), notice }];
}
