import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { APPLICATION_NAME, named } from "./pool.ts";

/** The channels on which processes of one database notify each other. */
export const CHANNELS = [
  "muster_wake",
  "muster_breakers",
  "muster_budgets",
  "muster_client_cancel",
  "muster_data_keys",
  "muster_deliveries",
  "muster_due",
  "muster_plans",
  "muster_events",
  "muster_follow",
  "muster_gates",
  "muster_cancel",
  "muster_changes",
  "muster_keys",
  "muster_log_level",
  "muster_sessions",
  "muster_provider_keys",
  "muster_remote_calls",
] as const;

/** One of {@link CHANNELS}. */
export type Channel = (typeof CHANNELS)[number];

/** Receives notifications of all processes, including this one. */
export interface Listener {
  /** Calls `handler` with each payload of a channel. */
  on(channel: Channel, handler: (payload: string) => void): void;
  /** Calls `handler` with each payload sent to this process alone, on the channel named after it. */
  onDirect(handler: (payload: string) => void): void;
  /** Calls `handler` after the lost connection is restored: notifications may have been missed. */
  onReconnect(handler: () => void): void;
  close(): Promise<void>;
}

/** Options of {@link openListener}. */
export interface ListenerOptions {
  readonly url: string;
  /** Called once when the connection is lost; {@link Listener.onReconnect} handlers are called when it is restored. */
  readonly onLost: (error: Error) => void;
  /** How often the connection is checked, and how long the answer may take, in milliseconds. */
  readonly checkMs?: number;
}

interface Connection {
  readonly client: Client;
  readonly socket: Socket;
}

const RETRY_MS = 500;
const CHECK_MS = 10_000;
/** A server that accepts no writes gets no notifications of those that are made elsewhere, as after a switchover. */
const CHECK = `select current_setting('transaction_read_only') = 'off' as "isUsable"`;

/**
 * Opens the process's single listening connection and keeps it open, reconnecting as long as necessary. Only health
 * checks are sent over it; without them a connection dropped by the network would go unnoticed.
 * @throws Error when the first connection fails
 */
export async function openListener({ url, onLost, checkMs = CHECK_MS }: ListenerOptions): Promise<Listener> {
  const handlers = new Map<string, ((payload: string) => void)[]>();
  const reconnected: (() => void)[] = [];
  let closed = false;
  let isLost = false;
  let current = await connect();
  let timer = checkLater();

  async function connect(): Promise<Connection> {
    const connection = openConnection(url, checkMs);
    const { client } = connection;
    client.on("notification", ({ channel, payload = "" }) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload);
    });
    client.on("error", reportLoss);
    await listenOn(connection);
    client.once("end", () => void reconnect());
    return connection;
  }

  /** Attempts to reconnect fail for as long as the database is away: they are no news. */
  function reportLoss(error: Error): void {
    if (isLost || closed) return;
    isLost = true;
    onLost(error);
  }

  function checkLater(): NodeJS.Timeout {
    return setTimeout(() => void check(current), checkMs).unref();
  }

  async function check({ client, socket }: Connection): Promise<void> {
    const isUsable = await client.query<{ isUsable: boolean }>(CHECK).then(
      ({ rows }) => rows[0]?.isUsable === true,
      () => false,
    );
    if (!isUsable) socket.destroy();
    if (!closed) timer = checkLater();
  }

  async function reconnect(): Promise<void> {
    reportLoss(new Error("the database ended the connection"));
    while (!closed) {
      await sleep(RETRY_MS, undefined, { ref: false });
      try {
        current = await connect();
        isLost = false;
        for (const handler of reconnected) handler();
        return;
      } catch {
        // The next attempt follows.
      }
    }
  }

  function on(channel: string, handler: (payload: string) => void): void {
    handlers.set(channel, [...(handlers.get(channel) ?? []), handler]);
  }

  return {
    on,
    onDirect: (handler) => on(APPLICATION_NAME, handler),
    onReconnect(handler) {
      reconnected.push(handler);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await current.client.end();
    },
  };
}

function openConnection(url: string, checkMs: number): Connection {
  const socket = new Socket();
  const limits = { connectionTimeoutMillis: checkMs, query_timeout: checkMs };
  return { client: new Client({ connectionString: named(url), stream: () => socket, ...limits }), socket };
}

/** Connects, and listens on all channels. @throws Error when that fails; the connection is closed */
async function listenOn({ client, socket }: Connection): Promise<void> {
  try {
    await client.connect();
    const channels = [...CHANNELS, client.escapeIdentifier(APPLICATION_NAME)];
    await client.query(channels.map((channel) => `listen ${channel}`).join("; "));
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
