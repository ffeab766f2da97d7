import type { Config } from "#config/config.ts";
import { openDatabase } from "#db/open-database.ts";
import { readServerFacts } from "#db/queries/doctor/server-facts.ts";
import { connectDatabase } from "../connect-database.ts";
import type { DatabaseUrls } from "../connect-database.ts";
import { CHECKS } from "./checks.ts";
import { failed, ok } from "./define-check.ts";
import type { Check, Finding, Patient } from "./define-check.ts";

const CONNECT_MS = 5_000;
const SKIPPED: Finding = { outcome: "skipped", text: "Not checked: the database cannot be used." };

/** The finding of one check. */
export interface Examined extends Finding {
  readonly check: string;
}

/**
 * Examines the installation; it changes nothing, but starts the embedded database if it does not run.
 * @param prepare reads the settings
 */
export async function examine(prepare: () => Promise<Config>): Promise<readonly Examined[]> {
  const config = await prepare().catch(explainSettings);
  if ("outcome" in config) return [{ check: "settings", ...config }];
  const opened = await open(config).catch(explainConnection);
  const patient = "db" in opened ? opened : undefined;
  const finding = "db" in opened ? ok(placeOf(opened.place)) : opened;
  try {
    const examined: Examined[] = [];
    for (const check of CHECKS) examined.push({ check: check.name, ...(await run(check, config, patient)) });
    return [{ check: "settings", ...ok("The settings are valid.") }, { check: "database", ...finding }, ...examined];
  } finally {
    await patient?.db.close();
    await patient?.place.embedded?.stop();
  }
}

async function run(check: Check, config: Config, patient: Patient | undefined): Promise<Finding> {
  try {
    if (check.of === "machine") return await check.run(config);
    if (patient === undefined) return SKIPPED;
    return await (check.of === "server" ? check.run(patient.server) : check.run(patient));
  } catch (error) {
    return failed(`It cannot be checked: ${messageOf(error)}`, "Correct what the message says, and try again.");
  }
}

async function open(config: Config): Promise<Patient> {
  const place = await connectSoon(config);
  const db = openDatabase({ url: place.url, poolSize: 1, leaseMs: config.LEASE_MS, onIdleError: () => undefined });
  try {
    await db.connectRequests(place.requests);
    return { config, db, place, server: await readServerFacts(db) };
  } catch (error) {
    await db.close();
    await place.embedded?.stop();
    throw error;
  }
}

/** Connects to the database within a few seconds. */
export function connectSoon(config: Config): Promise<DatabaseUrls> {
  return connectDatabase(config, { signal: AbortSignal.timeout(CONNECT_MS), warn: () => undefined });
}

/** Says what is wrong with the settings. */
export function explainSettings(error: unknown): Finding {
  return failed(messageOf(error), "Correct the settings, or run this where the service runs.");
}

/** Says why the database cannot be used. */
export function explainConnection(error: unknown): Finding {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  const text = isLate ? `The database does not answer within ${CONNECT_MS / 1_000} s.` : messageOf(error);
  return failed(text, "Start the database, or correct DATABASE_URL. A new one is prepared by the first start.");
}

/** Says which database it is. */
export function placeOf({ embedded }: Pick<DatabaseUrls, "embedded">): string {
  return embedded === undefined ? "The database of DATABASE_URL answers." : "The embedded database answers.";
}

/** The message of an error, for a finding. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
