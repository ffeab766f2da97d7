import { findConnectionShortage } from "#db/connection-budget.ts";
import { openPool } from "#db/pool.ts";
import { readServerFacts } from "#db/queries/doctor/server-facts.ts";
import { probeReplica } from "#db/replica/open-replica.ts";
import { sessionsOn } from "#db/sessions.ts";
import { replicaConnectionsOf } from "../../connections.ts";
import { ok, warning } from "../define-check.ts";
import type { Check, Finding, Patient } from "../define-check.ts";

const ANSWER_MS = 5_000;

/** Whether the replica of DATABASE_READ_URL, if there is one, can answer reports. */
export const readReplica: Check = {
  name: "read replica",
  of: "database",
  run: (patient) =>
    patient.config.DATABASE_READ_URL === undefined
      ? ok("Reports are read from the database itself.")
      : examine(patient, patient.config.DATABASE_READ_URL),
};

async function examine({ config, db }: Patient, url: string): Promise<Finding> {
  const replica = sessionsOn(
    openPool({ url, size: 1, session: [], answerMs: ANSWER_MS, onIdleError: () => undefined }),
    false,
  );
  try {
    const verdict = await probeReplica(db, replica, config.DATABASE_READ_LAG * 1_000);
    if (!verdict.isUsable) return unused(verdict.text);
    const shortage = await findConnectionShortage(replica, replicaConnectionsOf(config));
    if (shortage !== undefined) return warning(`The replica: ${shortage}`, "See docs/operations.md#database.");
    const { isEncrypted, isOnThisMachine } = await readServerFacts(replica);
    if (isEncrypted || isOnThisMachine) return ok(`The replica answers reports; it is ${verdict.lagMs} ms behind.`);
    return warning(
      "The connection to the replica is not encrypted.",
      "Add sslmode=verify-full&sslrootcert=… to DATABASE_READ_URL.",
    );
  } catch (error) {
    return unused(error instanceof Error ? error.message : String(error));
  } finally {
    await replica.close();
  }
}

function unused(reason: string): Finding {
  return warning(`The replica answers no reports: ${reason}`, "See docs/high-availability.md#a-replica-for-reports.");
}
