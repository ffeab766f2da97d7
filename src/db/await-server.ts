import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { named } from "./pool.ts";
import { isOutage } from "./retry-outage.ts";

const RETRY_MS = 500;
const CONNECT_MS = 5_000;
/** How long to wait for a server that is starting, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** The configured database cannot be used; the message names the setting and never contains its password. */
export class DatabaseUnreachableError extends Error {
  override readonly name = "DatabaseUnreachableError";
}

/** How a start waits for its database. */
export interface StartWait {
  /** Receives one sentence when a wait begins. */
  readonly warn: (line: string) => void;
  /** Aborts the wait when the service stops. */
  readonly signal: AbortSignal;
}

/** Options of {@link awaitServer}. */
export interface ServerAddress extends StartWait {
  readonly url: string;
  /** The name of the setting that holds the address. */
  readonly setting: string;
}

/**
 * Waits half a minute for the server to accept connections, for example while it starts.
 * @throws DatabaseUnreachableError when it does not in time, or rejects immediately; the signal's reason
 */
export async function awaitServer(address: ServerAddress): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
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

/**
 * Runs a step of a start, which must be safe to repeat, and repeats it for half a minute while it loses connections.
 * @throws DatabaseUnreachableError when it still does then; the step's other errors; the signal's reason
 */
export async function outlastLosses<T>(step: () => Promise<T>, { warn, signal }: StartWait): Promise<T> {
  let end: number | undefined;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof Error) || !isOutage(error)) throw error;
      const lost = `The connection to PostgreSQL was lost during the start (${textOf(error)})`;
      if (performance.now() > (end ?? Infinity)) {
        throw new DatabaseUnreachableError(`${lost}. Nothing is half done: start again.`, { cause: error });
      }
      if (end === undefined) warn(`${lost}: trying again for ${TIMEOUT_MS / 1_000} s`);
      end ??= performance.now() + TIMEOUT_MS;
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}

function waiting({ setting, url }: ServerAddress, error: Error): string {
  return `${setting}: waiting up to ${TIMEOUT_MS / 1_000} s for PostgreSQL at ${placeOf(url)} (${textOf(error)})`;
}

function noResponse({ setting, url }: ServerAddress, error: Error): DatabaseUnreachableError {
  return new DatabaseUnreachableError(
    `${setting}: no PostgreSQL answers at ${placeOf(url)} within ${TIMEOUT_MS / 1_000} s (${textOf(error)}). ` +
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
