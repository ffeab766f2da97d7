import type { WorkspaceDatabase } from "#db/database.ts";
import type { Principal } from "#domain/access/principal.ts";
import { changeWorkspace } from "./change-workspace.ts";
import type { Change } from "./change-workspace.ts";
import type { Services } from "./context.ts";

/** A caller in its workspace: the services, and the database as the caller sees it. Operations need nothing else. */
export type Workspace<Given extends Services = Services> = Given & Bound;

interface Bound extends WorkspaceDatabase<Principal> {
  /** Changes the workspace in one transaction with effects, as {@link changeWorkspace} does. */
  change<T>(work: (tx: Change) => Promise<T>): Promise<T>;
  /** The same rows for reports, possibly some seconds older: see `Reports` of the database. */
  readonly reports: WorkspaceDatabase;
}

/** Binds a caller to its workspace: once for each request, where it comes in. */
export function bindWorkspace<Given extends Services>(services: Given, who: Principal): Workspace<Given> {
  return {
    ...services,
    ...services.db.inWorkspace(who),
    who,
    reports: services.db.reports.inWorkspace(who),
    change: (work) => changeWorkspace(services, who, work),
  };
}
