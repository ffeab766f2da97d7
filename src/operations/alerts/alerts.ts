import type { AlertCreate, AlertPatch } from "#domain/alerts/alert.ts";
import { windowOf } from "#domain/alerts/alert.ts";
import { kindIssues } from "#domain/alerts/alert-kinds.ts";
import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { unknownReference } from "#db/constraints.ts";
import type { Transaction } from "#db/database.ts";
import * as rows from "#db/queries/alerts/alerts.ts";
import { insertAlertTest } from "#db/queries/alerts/alert-states.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Alert");

/**
 * Creates an alert, which is checked immediately.
 * @throws AppError `bad_request` with the path of an unknown agent, team or route; `quota_exceeded`.
 */
export async function createAlert(workspace: Workspace, input: AlertCreate): Promise<JsonText> {
  const id = newId();
  const { workspaceId: workspace_id, userId: created_by } = workspace.who;
  return workspace.transaction(async (tx) => {
    await assertRoute(tx, input.route_id);
    const none = { agent_id: null, team_id: null, watched_route_id: null, route_id: null };
    await rows.insertAlert(tx, { ...none, ...input, ...windowOf(input), id, workspace_id, created_by });
    return found(await readRecord(tx, "alert", id));
  });
}

/** Reads an alert with its state. @throws AppError `not_found`. */
export async function getAlert(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "alert", id));
}

/**
 * Changes an alert, which is then checked immediately. A disabled one is ok, without an event.
 * @throws AppError `not_found`; `bad_request` for what its kind does not allow, and as in {@link createAlert}.
 */
export function updateAlert(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: AlertPatch },
): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    const current = found(await rows.lockAlert(tx, id));
    const changed = { ...current, ...patch };
    const issues = kindIssues(changed);
    if (issues.length > 0) throw invalid("body", issues);
    if (changed.route_id !== current.route_id) await assertRoute(tx, changed.route_id);
    await rows.updateAlert(tx, id, { ...changed, ...windowOf(changed) });
    return found(await readRecord(tx, "alert", id));
  });
}

/** Deletes an alert; no event tells its destination. @throws AppError `not_found`. */
export async function deleteAlert(workspace: Workspace, id: string): Promise<void> {
  if (!(await workspace.transaction((tx) => rows.deleteAlert(tx, id)))) throw notFound("Alert");
}

/**
 * Sends a marked test to an alert's destination, paused or not; it is logged like any delivery.
 * @throws AppError `not_found`; `conflict` without a destination.
 */
export function testAlert(workspace: Workspace, id: string): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    const { name, kind, threshold, window_minutes, agent_id, team_id } = found(await rows.lockAlert(tx, id));
    const delivery_id = newId();
    const of = { id, name, kind, threshold, window_minutes, agent_id, team_id, target_name: null };
    const nothing = { value: null, runs: null, failed: null, route_id: null, route_name: null };
    const sent = await insertAlertTest(tx, {
      id,
      workspaceId: workspace.who.workspaceId,
      event_id: newId(),
      delivery_id,
      subject: "Test",
      notice: { ...of, ...nothing, state: "firing", is_test: true },
    });
    if (!sent) throw new AppError("conflict", "This alert has no destination, or it was deleted: set route_id first.");
    return orNotFound("Delivery")(await readRecord(tx, "delivery", delivery_id));
  });
}

async function assertRoute(tx: Transaction, id: string | null | undefined): Promise<void> {
  if (id != null && !(await rows.hasRoute(tx, id))) throw unknownReference("route_id", "output route");
}
