import { pino } from "pino";
import { openDatabase } from "#db/open-database.ts";
import { createJanitor } from "#engine/upkeep/janitor.ts";
import { createLocalBlobs } from "#lib/blobs/local-blobs.ts";
import { createBlobSweeper } from "#operations/files/blobs.ts";
import type { TestService } from "./service.ts";

/** Does once what a process does every ten minutes: deletes what has expired. */
export async function runJanitor(
  service: Pick<TestService, "databaseUrl" | "folder">,
  retentionTasksDays?: number,
): Promise<void> {
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  const sweeper = createBlobSweeper({ db, blobs: createLocalBlobs(service.folder), onError: () => undefined });
  await createJanitor({ db, sweeper, log: pino({ level: "silent" }), retentionDays: 30, retentionTasksDays }).runOnce();
  await db.close();
}
