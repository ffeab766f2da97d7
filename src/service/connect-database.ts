import { DatabaseUnreachableError, awaitServer } from "#db/await-server.ts";
import type { StartWait } from "#db/await-server.ts";
import type { RequestLink } from "#db/open-database.ts";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import type { EmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { probePooler } from "#db/probe-pooler.ts";
import type { Config } from "#config/config.ts";
import { inDataFolder } from "./data-folder.ts";

/** Settings that need DATABASE_URL. */
const NOT_ALONE = ["DATABASE_DIRECT_URL", "DATABASE_REQUEST_URL", "DATABASE_READ_URL"] as const;

/** The addresses of the database. */
export interface DatabaseUrls {
  /** The address for the service itself, without a pooler. */
  readonly url: string;
  /** The address for requests. */
  readonly requests: RequestLink;
  /** Whether that address has its own role. */
  readonly hasRequestRole: boolean;
  /** The embedded server of the data folder, if it is used. */
  readonly embedded: EmbeddedPostgres | undefined;
}

/**
 * Connects to the configured database, or starts the embedded one in the data folder.
 * @throws DatabaseUnreachableError, which names the setting and a remedy: no answer, a rejection, or a pooler that the
 * service cannot use; the signal's reason
 */
export async function connectDatabase(config: Config, wait: StartWait): Promise<DatabaseUrls> {
  const { DATABASE_URL: given, DATABASE_DIRECT_URL: direct = given, DATABASE_REQUEST_URL: ofRequests } = config;
  if (given === undefined || direct === undefined) {
    const alone = NOT_ALONE.find((name) => config[name] !== undefined);
    if (alone !== undefined) throw new DatabaseUnreachableError(`${alone} is set without DATABASE_URL. Set both.`);
    const embedded = await inDataFolder(() =>
      startEmbeddedPostgres({ dataFolder: config.MUSTER_DATA, log: wait.warn }),
    );
    return { url: embedded.url, requests: directLink(embedded.url), hasRequestRole: false, embedded };
  }
  const setting = direct === given ? "DATABASE_URL" : "DATABASE_DIRECT_URL";
  await awaitServer({ url: direct, setting, ...wait });
  if ((await probePooler(direct)).isPooled) throw poolerInBetween(setting);
  const place = { url: direct, hasRequestRole: ofRequests !== undefined, embedded: undefined };
  const requestUrl = ofRequests ?? given;
  if (direct === requestUrl) return { ...place, requests: directLink(direct) };
  const requestSetting = ofRequests === undefined ? "DATABASE_URL" : "DATABASE_REQUEST_URL";
  await awaitServer({ url: requestUrl, setting: requestSetting, ...wait });
  return { ...place, requests: { url: requestUrl, ...(await probePooler(requestUrl)) } };
}

function directLink(url: string): RequestLink {
  return { url, isPooled: false, keepsStatements: true };
}

function poolerInBetween(setting: string): DatabaseUnreachableError {
  return new DatabaseUnreachableError(
    `${setting} points to a pooler that gives each transaction a different session, such as PgBouncer with pool_mode = transaction. ` +
      (setting === "DATABASE_URL"
        ? "Leave it as it is, and set DATABASE_DIRECT_URL to the address of PostgreSQL itself: LISTEN, migrations and the engine need it."
        : "Set it to the address of PostgreSQL itself."),
  );
}
