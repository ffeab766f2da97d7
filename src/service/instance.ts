import type { Logger } from "pino";
import { outlastLosses } from "#db/await-server.ts";
import { findConnectionShortage } from "#db/connection-budget.ts";
import { openDatabase } from "#db/open-database.ts";
import { createOutageReport } from "#db/outage-report.ts";
import { findDatabaseProblem } from "#db/readiness.ts";
import type { OpenDatabase } from "#db/open-database.ts";
import type { Database } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { createPgvector } from "#db/pgvector.ts";
import { savePlanQuotas } from "#db/queries/access/quotas.ts";
import { makePartitions } from "#db/queries/streams/log-partitions.ts";
import { revokeFromPublic } from "#db/request-role.ts";
import type { Observe } from "#domain/observation.ts";
import { atMost } from "#lib/async/at-most.ts";
import type { SecretRing } from "#lib/security/secret-ring.ts";
import { prepareFirstStart } from "#operations/accounts/first-start.ts";
import type { FirstStart } from "#operations/accounts/first-start.ts";
import type { Config } from "#config/config.ts";
import { checkRequestRole, confineRequests } from "./confine-requests.ts";
import { connectReplica } from "./connect-replica.ts";
import { connectDatabase } from "./connect-database.ts";
import { connectionsOf } from "./connections.ts";
import type { DatabaseUrls } from "./connect-database.ts";
import { inDataFolder } from "./data-folder.ts";
import { checkBlobs } from "./open-blobs.ts";
import { openSecrets } from "./keys/open-secrets.ts";
import { planQuotas } from "./settings.ts";

/** How long remaining statements may take after everything else has ended, in milliseconds. */
const CLOSE_MS = 1_000;

/** The database of this instance, ready to use. */
export interface Instance {
  readonly url: string;
  readonly db: OpenDatabase;
  readonly secrets: SecretRing;
  /** Reads the data keys again, after another process has changed them. */
  readonly refreshSecrets: () => Promise<void>;
  /** What the first start created; undefined at later starts. */
  readonly created: FirstStart | undefined;
  /** Messages for the operator. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/** Options of {@link openInstance}. */
export interface InstanceOptions {
  /** Aborts a long start, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly observe?: Observe;
}

/**
 * Opens the database: that of DATABASE_URL, or the embedded one in the data folder. Migrates its schema and creates the
 * first workspace if there is none. Starts over when it loses a connection.
 */
export async function openInstance(
  config: Config,
  log: Logger,
  { signal = new AbortController().signal, observe = () => undefined }: InstanceOptions = {},
): Promise<Instance> {
  const createFirst = await prepareFirstStart(firstStartOptions(config));
  const opening = { config, log, signal, observe, createFirst };
  return outlastLosses(() => tryToOpen(opening), { signal, warn: (line) => log.warn(line) });
}

interface Opening extends Required<InstanceOptions> {
  readonly config: Config;
  readonly log: Logger;
  readonly createFirst: (db: Database) => Promise<FirstStart | undefined>;
}

async function tryToOpen(opening: Opening): Promise<Instance> {
  const { config, log, signal, observe } = opening;
  const place = await connectDatabase(config, { signal, warn: (line) => log.warn(line) });
  const { url, embedded } = place;
  const outage = createOutageReport({
    isBack: async () => (await findDatabaseProblem(db)) !== "database",
    onLost: (error) => log.warn({ err: error }, "database connection lost"),
    // As loud as the loss, so that a log at the default level shows its end, too.
    onRestored: () => log.warn("database connection restored"),
  });
  const db = openDatabase({
    url,
    poolSize: config.DATABASE_POOL,
    servicePoolSize: config.DATABASE_ENGINE_POOL,
    leaseMs: config.LEASE_MS,
    onIdleError(error) {
      observe({ type: "database_connection_lost" });
      outage.connectionLost(error);
    },
  });
  async function close(): Promise<void> {
    outage.close();
    await atMost(CLOSE_MS, db.close());
    await embedded?.stop();
  }
  try {
    const prepared = await migrate(url, () => prepare({ ...opening, db, place }), { signal });
    for (const migration of prepared.applied) log.info({ migration }, "applied migration");
    log.info("schema is up to date");
    const { requests, secrets, refreshSecrets, created, blobNotice, warning } = prepared.result;
    // Known only now: the database has its role.
    await db.connectRequests(requests);
    connectReplica(db, opening, requests);
    const shortage = await findConnectionShortage(db, connectionsOf(config, requests));
    for (const line of [blobNotice, warning, shortage]) if (line !== undefined) log.warn(line);
    const notices = [embedded?.notice, blobNotice, warning, shortage].filter((notice) => notice !== undefined);
    return { url, db, secrets, refreshSecrets, created, close, notices };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Preparation extends Opening {
  readonly db: Database;
  readonly place: DatabaseUrls;
}

async function prepare({ config, log, db, place, createFirst }: Preparation) {
  await createPgvector(db, log);
  await revokeFromPublic(db);
  await savePlanQuotas(db, planQuotas(config));
  await makePartitions(db, config.RETENTION_DAYS);
  // Before any key is created, so a rejected start leaves none.
  const blobNotice = await checkBlobs(config);
  const given = await checkRequestRole(place);
  const { secrets, refresh: refreshSecrets } = await inDataFolder(() => openSecrets(db, config));
  const created = await createFirst(db);
  return {
    secrets,
    refreshSecrets,
    created,
    blobNotice,
    ...(given ?? (await confineRequests(place, { db, secrets }))),
  };
}

function firstStartOptions(config: Config) {
  return {
    email: config.MUSTER_INIT_EMAIL,
    password: config.MUSTER_INIT_PASSWORD,
    workspace: config.MUSTER_INIT_WORKSPACE,
    plan: config.DEFAULT_PLAN ?? "enterprise",
    keys: {
      envelope: config.MUSTER_INIT_API_KEY,
      table: config.MUSTER_INIT_TABLE_KEY,
      mcp: config.MUSTER_INIT_MCP_KEY,
      a2a: config.MUSTER_INIT_A2A_KEY,
      "ag-ui": config.MUSTER_INIT_AGUI_KEY,
      anon: config.MUSTER_ANON_KEY,
    },
  };
}
