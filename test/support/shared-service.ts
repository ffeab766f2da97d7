import { KEY_SCOPES } from "#domain/access/api-key.ts";
import type { KeyKind } from "#domain/access/api-key.ts";
import { startService } from "./service.ts";
import type { TestAccess, TestService } from "./service.ts";
import { addKey, addWorkspace } from "./workspace.ts";

let shared: Promise<TestService> | undefined;

/** A workspace in a service that other files use, too: nothing here ends it or has what it writes. */
export interface SharedService extends TestAccess {
  readonly workspaceId: string;
  readonly ownerId: string;
}

/**
 * Opens a workspace in the service with the usual settings that this worker keeps for all its files: to start one, with
 * a database, costs more than most files. The keys are of the new workspace, but for the service's anon key.
 *
 * For files whose tests stay in their workspaces. One that changes the schema, waits for locks, or reads the tables of
 * all workspaces needs {@link startService}.
 */
export async function useSharedService(): Promise<SharedService> {
  return openWorkspaceIn(await (shared ??= startService()));
}

/** Opens a workspace in a service that is kept for several files, and makes the keys of it. */
export async function openWorkspaceIn({ url, databaseUrl, keys }: TestService): Promise<SharedService> {
  const { workspaceId, ownerId } = await addWorkspace(databaseUrl, "enterprise");
  const add = (kind: KeyKind) => addKey(databaseUrl, { workspaceId, ownerId, kind, scopes: KEY_SCOPES });
  return {
    url,
    databaseUrl,
    workspaceId,
    ownerId,
    keys: {
      api: await add("envelope"),
      agui: await add("ag-ui"),
      a2a: await add("a2a"),
      mcp: await add("mcp"),
      table: await add("table"),
      anon: keys.anon,
    },
  };
}
