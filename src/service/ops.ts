import type { LogLevelChange, TenantsQuery } from "#domain/access/instance.ts";
import type { Erasure } from "#domain/access/erasure.ts";
import { listErasures } from "#db/queries/access/erasures.ts";
import type { InstanceWorkspace } from "#db/queries/access/instance-workspaces.ts";
import {
  changeLogLevel,
  listQueues,
  listServiceProcesses,
  listTenants,
  readCurrentLogLevel,
} from "#operations/accounts/instance-figures.ts";
import { findBySlug } from "#operations/accounts/instance-workspaces.ts";
import { eraseWorkspace, holdWorkspace } from "#operations/accounts/operate.ts";
import { operate } from "./operator.ts";

// What `muster ops` does: the operator's view, with access to the database.

/** Lists workspaces with their figures. */
export const tenants = (query: TenantsQuery) => operate((db) => listTenants(db, query));

/** Lists the processes of the service. */
export const processes = () => operate(listServiceProcesses);

/** Counts the jobs of each kind. */
export const queues = () => operate(listQueues);

/** Reads the log level that is set now. */
export const currentLogLevel = () => operate(readCurrentLogLevel);

/** Changes the log level of processes for some minutes. */
export const logLevel = (change: LogLevelChange) => operate((db) => changeLogLevel(db, change));

/** Holds or releases the workspace with this slug or id. */
export function hold(slug: string, isHeld: boolean): Promise<InstanceWorkspace> {
  return operate(async (db) => holdWorkspace(db, { workspaceId: await findBySlug(db, slug) }, isHeld));
}

/** Lists the receipts of erasures. */
export const erasures = () => operate(listErasures);

/** Erases the workspace with this slug or id. @param confirm its name */
export function erase(slug: string, confirm: string): Promise<Erasure> {
  return operate(async (db) => eraseWorkspace(db, { workspaceId: await findBySlug(db, slug) }, confirm));
}
