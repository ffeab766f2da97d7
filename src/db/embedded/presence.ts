import { Client } from "pg";
import { codeOf } from "#lib/error-code.ts";
import { rowsOnClient } from "../rows-on-client.ts";
import { statement } from "../statement.ts";

/** The advisory lock that every service process on the server holds as a share ("must" in ASCII, and a number). */
const PRESENCE_LOCK = [0x6d757374, 1] as const;

const CONNECT_TIMEOUT_MS = 10_000;

/** Errors of a server that is absent, starting, stopping or full: retry. Node's codes and SQLSTATEs. */
const NOT_NOW = new Set(["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE", "57P01", "57P02", "57P03", "53300"]);
const NO_SUCH_DATABASE = "3D000";
const DUPLICATE_DATABASE = "42P04";

/**
 * Connects and takes a share of the presence lock, which marks the server as used by a service process. The share ends
 * with the connection, even if the process crashes. Creates the address's database if it is missing.
 * @param url the address, as {@link startEmbeddedPostgres} returns it
 * @param dataDirectory the cluster that must answer
 * @returns the connection, or undefined while the server is not ready: not running, starting or stopping
 * @throws {Error} when another cluster answers, or the connection fails for a permanent reason
 */
export async function claimPresence(url: string, dataDirectory: string): Promise<Client | undefined> {
  try {
    const client = await connectOrCreate(url);
    return await claim(client, dataDirectory);
  } catch (error) {
    if (NOT_NOW.has(codeOf(error)) || isCutOff(error)) return undefined;
    throw error;
  }
}

const LOCK_ALONE = statement({ name: "lock-server-alone", text: "select pg_try_advisory_lock($1, $2) as alone" });

/**
 * Releases the share and tries to take the exclusive lock.
 * @returns true when no other service process uses the server. No other can join from now on, so the server may be
 * stopped.
 */
export async function releasePresence(client: Client): Promise<boolean> {
  await client.query("select pg_advisory_unlock_shared($1, $2)", [...PRESENCE_LOCK]);
  const [row] = await rowsOnClient<{ alone: boolean }>(client, LOCK_ALONE, PRESENCE_LOCK);
  return row?.alone ?? false;
}

const ENTER = statement({
  name: "enter-server",
  text: "select current_setting('data_directory') as directory, pg_try_advisory_lock_shared($1, $2) as entered",
});

async function claim(client: Client, dataDirectory: string): Promise<Client | undefined> {
  const [answer] = await rowsOnClient<{ directory: string; entered: boolean }>(client, ENTER, PRESENCE_LOCK);
  if (answer?.directory === dataDirectory && answer.entered) return client;
  await client.end();
  if (answer?.directory === dataDirectory) return undefined;
  throw new Error(`the PostgreSQL that answers runs on ${answer?.directory}, not on ${dataDirectory}`);
}

async function connectOrCreate(url: string): Promise<Client> {
  try {
    return await connect(url);
  } catch (error) {
    if (codeOf(error) !== NO_SUCH_DATABASE) throw error;
    await createDatabase(url);
    return connect(url);
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without an error listener a broken connection would end the process; its `end` event reports it.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function createDatabase(url: string): Promise<void> {
  const address = new URL(url);
  const name = address.pathname.slice(1);
  address.pathname = "/postgres";
  const client = await connect(address.href);
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if (codeOf(error) !== DUPLICATE_DATABASE) throw error;
  } finally {
    await client.end();
  }
}

/** pg's own errors for a connection that the server closed or did not answer have no code. */
function isCutOff(error: unknown): boolean {
  return error instanceof Error && /^(Connection terminated|timeout expired)/.test(error.message);
}
