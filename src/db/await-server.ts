import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { named } from "./pool.ts";
import { isOutage } from "./retry-outage.ts";

const RETRY_MS = 500;
const CONNECT_MS = 5_000;

/** The configured database cannot be used; the message names the setting and never contains its password. */
export class DatabaseUnreachableError extends Error {
  override readonly name = "DatabaseUnreachableError";
}

/** Options of {@link awaitServer}. */
export interface ServerAddress {
  readonly url: string;
  /** The name of the setting that holds the address. */
  readonly setting: string;
  /** How long to wait for the server to start, in milliseconds. */
  readonly timeoutMs: number;
  /** Receives one sentence when the wait begins. */
  readonly warn: (line: string) => void;
  /** Aborts the wait when the service stops. */
  readonly signal: AbortSignal;
}

/**
 * Waits until the server accepts connections, for example while it starts.
 * @throws DatabaseUnreachableError when it does not in time, or rejects immediately; the signal's reason
 */
export async function awaitServer(address: ServerAddress): Promise<void> {
  const end = performance.now() + address.timeoutMs;
  for (let tries = 1; ; tries++) {
    address.signal.throwIfAborted();
    const error = await tryToConnect(address.url);
    if (error === undefined) return;
    if (!isOutage(error)) throw connectionRefused(address, error);
    if (performance.now() + RETRY_MS > end) throw noResponse(address, error);
    if (tries === 1) address.warn(waiting(address, error));
    await sleep(RETRY_MS, undefined, { signal: address.signal });
  }
}

async function tryToConnect(url: string): Promise<Error | undefined> {
  const client = new Client({ connectionString: named(url), connectionTimeoutMillis: CONNECT_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The connection broke during the preparation of the database. */
export function connectionLost(cause: unknown): DatabaseUnreachableError {
  const reason = cause instanceof Error ? textOf(cause) : String(cause);
  return new DatabaseUnreachableError(
    `The connection to PostgreSQL was lost during the start (${reason}). Nothing is half done: start again.`,
    { cause },
  );
}

function waiting({ setting, url, timeoutMs }: ServerAddress, error: Error): string {
  return `${setting}: waiting up to ${timeoutMs / 1_000} s for PostgreSQL at ${placeOf(url)} (${textOf(error)})`;
}

function noResponse({ setting, url, timeoutMs }: ServerAddress, error: Error): DatabaseUnreachableError {
  return new DatabaseUnreachableError(
    `${setting}: no PostgreSQL answers at ${placeOf(url)} within ${timeoutMs / 1_000} s (${textOf(error)}). ` +
      "Start it, or correct the address.",
    { cause: error },
  );
}

function connectionRefused({ setting, url }: ServerAddress, error: Error): DatabaseUnreachableError {
  return new DatabaseUnreachableError(
    `${setting}: PostgreSQL at ${placeOf(url)} refuses the connection: ${textOf(error)}.`,
    {
      cause: error,
    },
  );
}

/** For a host with several addresses, each failure is nested and the outer error has no message. */
function textOf(error: Error): string {
  const [first]: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return error.message === "" && first instanceof Error ? first.message : error.message;
}

function placeOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  return `${searchParams.get("host") ?? hostname}:${port === "" ? 5432 : port}${pathname}`;
}
