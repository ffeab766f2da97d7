import { setTimeout as sleep } from "node:timers/promises";
import type { Erasure, ErasureKind } from "#domain/access/erasure.ts";
import type { Database } from "#db/database.ts";
import { findErasure, readErasure } from "#db/queries/access/erasures.ts";
import { purgePeople } from "#operations/access/purge-people.ts";
import { purgeWorkspaces } from "#operations/access/purge-workspaces.ts";
import { erasePerson } from "#operations/accounts/erase-person.ts";
import { findBySlug } from "#operations/accounts/instance-workspaces.ts";
import { eraseWorkspace } from "#operations/accounts/operate.ts";
import { createBlobSweeper } from "#operations/files/blobs.ts";
import type { Config } from "#config/config.ts";
import type { Instance } from "./instance.ts";
import { openBlobs } from "./open-blobs.ts";
import { operate } from "./operator.ts";

/** How often an erasure that others work on is looked at, in milliseconds. */
const LOOK_MS = 250;

/** What to erase. */
export interface ToErase {
  readonly kind: ErasureKind;
  /** The slug or id of a workspace, or the e-mail address of a person; also the id of a receipt. */
  readonly given: string;
  /** The name of the workspace, or the address again. */
  readonly confirm: string;
  /** A workspace of the person, for an address that several accounts have. */
  readonly workspaceId?: string | undefined;
}

/** Whether an erasure of this workspace or person has begun: then it needs no confirmation to continue. */
export const hasBegun = (kind: ErasureKind, given: string) =>
  operate(async (db) => (await findErasure(db, kind, given)) !== undefined);

/**
 * Erases a workspace or a person to the end, and returns the receipt. What was interrupted continues, here and in each
 * process that serves.
 */
export function erase(what: ToErase): Promise<Erasure> {
  return operate(async (db, { secrets }, config) => {
    const id = (await findErasure(db, what.kind, what.given)) ?? (await begin(db, what));
    return finish({ db, secrets }, config, id);
  });
}

async function begin(db: Database, { kind, given, confirm, workspaceId }: ToErase): Promise<string> {
  const begun =
    kind === "workspace"
      ? await eraseWorkspace(db, { workspaceId: await findBySlug(db, given) }, confirm)
      : await erasePerson(db, { email: given, workspaceId }, confirm);
  return begun.subject_id;
}

interface Place extends Pick<Instance, "secrets"> {
  readonly db: Database;
}

async function finish({ db, secrets }: Place, config: Config, id: string): Promise<Erasure> {
  // What a sweep leaves is swept again at the end, which fails aloud.
  const sweeper = createBlobSweeper({ db, blobs: openBlobs(config), onError: () => undefined });
  // Followers of the ended runs poll.
  const events = { publish: () => undefined };
  const { signal } = new AbortController();
  for (;;) {
    await purgePeople({ db, secrets });
    await purgeWorkspaces({ db, events, sweeper, signal });
    const receipt = await readErasure(db, id);
    if (receipt === undefined) throw new Error("A receipt is never deleted.");
    if (receipt.ended_at !== null) return receipt;
    await sleep(LOOK_MS);
  }
}
