import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { choosePlace } from "./place.ts";
import { leave } from "./presence.ts";
import { bringUp, shutDown, type ServerOptions } from "./server.ts";

const DATABASE = "muster";
const RETRY_MS = 1_000;

/** The private PostgreSQL of one data folder, as one service process sees it. */
export interface EmbeddedPostgres {
  /**
   * The address for `pg` and everything above it, of a superuser on a Unix socket. It stays the same when the server
   * restarts. Its `application_name`, `muster:<pid>:<random>`, shows in `pg_stat_activity` which process a connection
   * belongs to.
   */
  readonly url: string;
  /** PostgreSQL's data directory: what a file-level backup of a stopped server has to contain. */
  readonly dataDirectory: string;
  /** One sentence for the person who starts the service, when the database is not inside the data folder. */
  readonly notice?: string;
  /**
   * Ends this process's use of the server, and stops the server when no other service process uses it; its remaining
   * connections are cut then, so close pools first. Safe to call twice.
   */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the PostgreSQL 18 of a data folder, or attaches to it when it is running: after a crash of the service, or
 * because another service process on the same folder started it. The server survives the service (only {@link
 * EmbeddedPostgres.stop} ends it), and is started again when it dies while the service runs.
 *
 * Each process holds one idle connection with a share of an advisory lock for as long as it uses the server. That is
 * how `stop` knows whether others are left, however they ended.
 *
 * @param options.dataFolder made when missing (mode 0700, for root 0711). For root, the server runs as another user,
 * who must be able to enter this folder and those above; otherwise the database goes to /var/lib/muster.
 * @param options.log gets a line when the start is slow, or the server died and was started again.
 * @throws {NoLocalPostgresError} (code NO_LOCAL_PG) when PostgreSQL cannot run on this machine or in this folder.
 */
export async function startEmbeddedPostgres(options: {
  readonly dataFolder: string;
  readonly log?: (line: string) => void;
}): Promise<EmbeddedPostgres> {
  const place = choosePlace(options.dataFolder);
  const applicationName = `muster:${process.pid}:${randomBytes(3).toString("hex")}`;
  const urlOf = (folder: string): string => addressOf(folder, applicationName);
  const presence = new Presence({ place, urlOf, log: options.log ?? (() => undefined) });
  const url = await presence.start();
  const { dataDirectory, notice } = place;
  return { url, dataDirectory, ...(notice === undefined ? {} : { notice }), stop: () => presence.stop() };
}

/** The host in the query wins in `pg`; the one before the path is there for programs that insist on one. */
function addressOf(socketFolder: string, applicationName: string): string {
  const query = new URLSearchParams({ host: socketFolder, application_name: applicationName });
  return `postgresql://postgres@localhost/${DATABASE}?${query.toString()}`;
}

/** Keeps the server up, and this process known to it, from start to stop. */
class Presence {
  readonly #options: ServerOptions;
  #client: Client | undefined;
  #recovery: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async start(): Promise<string> {
    const { url, presence } = await bringUp(this.#options);
    this.#client = presence;
    presence.once("end", () => this.#lost());
    return url;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  #lost(): void {
    this.#client = undefined;
    if (!this.#stopped) this.#recovery = this.#recover();
  }

  async #recover(): Promise<void> {
    this.#options.log("The connection to PostgreSQL broke: attaching again, or starting it again");
    while (!this.#stopped) {
      try {
        await this.start();
        return;
      } catch (error) {
        this.#options.log(`PostgreSQL could not be started again: ${String(error)}`);
        await sleep(RETRY_MS);
      }
    }
  }

  async #stop(): Promise<void> {
    // `#stopped` is set by the time the recovery looks at it again.
    await this.#recovery;
    const client = this.#client;
    if (!client) return;
    if (await isLast(client)) await shutDown(this.#options.place);
    await client.end();
  }
}

/** A connection that broke this moment has nothing left to stop for us. */
async function isLast(client: Client): Promise<boolean> {
  try {
    return await leave(client);
  } catch {
    return false;
  }
}
