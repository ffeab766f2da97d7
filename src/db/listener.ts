import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { named } from "./database.ts";

/** The channels over which processes on one database wake each other. */
export const CHANNELS = [
  "muster_wake",
  "muster_budgets",
  "muster_due",
  "muster_plans",
  "muster_events",
  "muster_follow",
  "muster_cancel",
  "muster_keys",
  "muster_sessions",
  "muster_provider_keys",
] as const;

/** One of {@link CHANNELS}. */
export type Channel = (typeof CHANNELS)[number];

/** Hears notifications of all processes, this one included. */
export interface Listener {
  /** Calls `handler` with each payload of a channel. */
  on(channel: Channel, handler: (payload: string) => void): void;
  /** Calls `handler` after the connection was lost and is back: notifications may have been missed. */
  onReconnect(handler: () => void): void;
  close(): Promise<void>;
}

const RETRY_MS = 500;

/**
 * Opens the process's one listening connection and keeps it open, reconnecting as long as it takes.
 * @throws Error when the first connection fails.
 */
export async function openListener(url: string, onError: (error: Error) => void): Promise<Listener> {
  const handlers = new Map<string, ((payload: string) => void)[]>();
  const reconnected: (() => void)[] = [];
  let closed = false;
  let client = await connect();

  async function connect(): Promise<Client> {
    const fresh = new Client({ connectionString: named(url), keepAlive: true });
    fresh.on("notification", ({ channel, payload = "" }) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload);
    });
    fresh.on("error", onError);
    await fresh.connect();
    await fresh.query(CHANNELS.map((channel) => `listen ${channel}`).join("; "));
    fresh.once("end", () => void reconnect());
    return fresh;
  }

  async function reconnect(): Promise<void> {
    while (!closed) {
      await sleep(RETRY_MS, undefined, { ref: false });
      try {
        client = await connect();
        for (const handler of reconnected) handler();
        return;
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  return {
    on(channel, handler) {
      handlers.set(channel, [...(handlers.get(channel) ?? []), handler]);
    },
    onReconnect(handler) {
      reconnected.push(handler);
    },
    async close() {
      closed = true;
      await client.end();
    },
  };
}
