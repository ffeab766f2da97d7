import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { chooseLocation } from "./cluster-location.ts";
import { releasePresence } from "./presence.ts";
import { attachOrStart, shutDown, type ServerOptions } from "./server.ts";
import type { ServerSettings } from "./settings.ts";

const DATABASE = "muster";
const RETRY_MS = 1_000;

/** The private PostgreSQL of one data folder, as used by one service process. */
export interface EmbeddedPostgres {
  /**
   * The superuser's address on a Unix socket, for `pg`. It does not change when the server restarts. Its
   * `application_name`, `muster:<pid>:<random>`, identifies the process of a connection in `pg_stat_activity`.
   */
  readonly url: string;
  /** PostgreSQL's data directory: what a file-level backup of a stopped server must contain. */
  readonly dataDirectory: string;
  /** One sentence for the operator when the database is outside the data folder. */
  readonly notice?: string;
  /**
   * Ends this process's use of the server, and stops the server when no other service process uses it. That disconnects
   * remaining connections, so close pools first. Safe to call twice.
   */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the PostgreSQL 18 of a data folder, or attaches to it when it is running: after a crash of the service, or
 * because another service process on the same folder started it. The server outlives a crashed service (only {@link
 * EmbeddedPostgres.stop} stops it), and is restarted when it dies while the service runs.
 *
 * Each process holds one idle connection with a share of an advisory lock while it uses the server. So `stop` knows
 * whether other processes remain, even after crashes.
 *
 * @param options.dataFolder created if missing (mode 0700, for root 0711). For root, the server runs as another user,
 * who must be able to enter this folder and its parents; otherwise the database is placed in /var/lib/muster.
 * @param options.log receives a line when the start is slow, or the server died and was restarted
 * @param options.settings replace the server's usual settings of these names, if this process starts it
 * @throws {NoLocalPostgresError} (code NO_LOCAL_PG) when PostgreSQL cannot run on this machine or in this folder
 */
export async function startEmbeddedPostgres(options: {
  readonly dataFolder: string;
  readonly log?: (line: string) => void;
  readonly settings?: ServerSettings;
}): Promise<EmbeddedPostgres> {
  const location = chooseLocation(options.dataFolder);
  const applicationName = `muster:${process.pid}:${randomBytes(3).toString("hex")}`;
  const urlOf = (folder: string): string => addressOf(folder, applicationName);
  const presence = new Presence({ log: () => undefined, ...options, location, urlOf });
  const url = await presence.start();
  const { dataDirectory, notice } = location;
  return { url, dataDirectory, ...(notice === undefined ? {} : { notice }), stop: () => presence.stop() };
}

/** `pg` uses the host in the query; the one before the path is for programs that require a host. */
function addressOf(socketFolder: string, applicationName: string): string {
  const query = new URLSearchParams({ host: socketFolder, application_name: applicationName });
  return `postgresql://postgres@localhost/${DATABASE}?${query.toString()}`;
}

/** Keeps the server running, and this process registered with it, from start to stop. */
class Presence {
  readonly #options: ServerOptions;
  #client: Client | undefined;
  #recovery: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async start(): Promise<string> {
    const { url, presence } = await attachOrStart(this.#options);
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
    // `#stopped` is set before the recovery checks it again.
    await this.#recovery;
    const client = this.#client;
    if (!client) return;
    if (await isLast(client)) await shutDown(this.#options.location);
    await client.end();
  }
}

/** If the connection has just broken, there is nothing to stop. */
async function isLast(client: Client): Promise<boolean> {
  try {
    return await releasePresence(client);
  } catch {
    return false;
  }
}
