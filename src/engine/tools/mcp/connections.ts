import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { McpServerRow } from "#db/queries/mcp-servers/mcp-servers.ts";
import type { Tenant } from "#domain/access/role.ts";
import type { McpConnection } from "#protocols/mcp/connect.ts";
import { McpServerError } from "#protocols/mcp/mcp-server-error.ts";
import { headersOf, openMcpServer, saveDiscovered, recordConnectionError } from "#operations/mcp-servers/connect.ts";
import type { McpServices } from "#operations/mcp-servers/connect.ts";
import type { McpAuth } from "#protocols/mcp/mcp-auth.ts";
import { withoutSecrets } from "#operations/tools/stored-headers.ts";
import { readTools } from "#operations/mcp-servers/read-tools.ts";

/** How long an idle connection stays open, in milliseconds. */
const IDLE_MS = 5 * 60_000;
/** After a failure, connections are not opened in advance for this long. */
const PAUSE_MS = 30_000;
/** The minimum time between two listings of a server's changed tools. */
const LIST_INTERVAL_MS = 2_000;
const MAX_OPEN = 200;
/** How many failed servers are remembered. */
const MAX_FAILED = 1_000;

/** This process's connections to MCP servers, shared by all runs and reopened after errors. */
export interface McpConnections {
  /**
   * Runs work over a server's connection. If the server no longer knows the session, as after its restart, reconnects
   * and runs the work again: such a server has not executed it.
   * @throws McpServerError without a connection; any error of the work; the signal's reason
   */
  use<T>(target: McpTarget, signal: AbortSignal, work: (connection: McpConnection) => Promise<T>): Promise<T>;
  /** Opens a connection in the background for use soon; this also lists its tools. */
  prepare(target: McpTarget): void;
  close(): Promise<void>;
}

/** An MCP server of a workspace. */
export interface McpTarget {
  readonly tenant: Tenant;
  readonly server: McpServerRow;
  /** The account whose tokens the requests carry; absent for a server without OAuth. */
  readonly account?: { readonly id: string; readonly userId?: string | null; readonly auth: McpAuth } | undefined;
}

interface Entry {
  readonly revision: string;
  readonly connection: Promise<McpConnection>;
  /** Set while it is open. */
  opened?: McpConnection;
  users: number;
  idle?: NodeJS.Timeout;
}

/** Creates the connections. */
export function createMcpConnections(services: McpServices & { readonly log: Logger }): McpConnections {
  const entries = new Map<string, Entry>();
  const failed = new LRUCache<string, true>({ max: MAX_FAILED, ttl: PAUSE_MS });
  const closing = new AbortController();

  function entryOf(target: McpTarget): Entry {
    const { revision } = target.server;
    const id = keyOf(target);
    const known = entries.get(id);
    if (known?.revision === revision && known.opened?.isOpen() !== false) return known;
    if (known !== undefined) drop(id, known);
    const entry: Entry = {
      revision,
      users: 0,
      connection: open(services, target, closing.signal, () => drop(id, entry)),
    };
    entries.set(id, entry);
    entry.connection.then(
      (connection) => {
        entry.opened = connection;
        failed.delete(id);
        rest(id, entry);
      },
      () => {
        failed.set(id, true);
        drop(id, entry);
      },
    );
    closeOldest();
    return entry;
  }

  function rest(id: string, entry: Entry): void {
    clearTimeout(entry.idle);
    if (entry.users === 0) entry.idle = setTimeout(() => drop(id, entry), IDLE_MS).unref();
  }

  function drop(id: string, entry: Entry): void {
    clearTimeout(entry.idle);
    if (entries.get(id) === entry) entries.delete(id);
    if (entry.opened?.isOpen() === true) void entry.opened.close();
  }

  function closeOldest(): void {
    if (entries.size <= MAX_OPEN) return;
    const unused = [...entries].find(([, { users, opened }]) => users === 0 && opened !== undefined);
    if (unused !== undefined) drop(...unused);
  }

  async function useOnce<T>(
    target: McpTarget,
    signal: AbortSignal,
    work: (connection: McpConnection) => Promise<T>,
  ): Promise<T> {
    const entry = entryOf(target);
    entry.users += 1;
    try {
      return await work(await waitUnlessAborted(entry.connection, signal));
    } catch (error) {
      if (isLostSession(error)) drop(keyOf(target), entry);
      throw error;
    } finally {
      entry.users -= 1;
      rest(keyOf(target), entry);
    }
  }

  return {
    async use(target, signal, work) {
      const wasOpen = entries.get(keyOf(target))?.opened !== undefined;
      return useOnce(target, signal, work).catch((error: unknown) => {
        if (!wasOpen || !isLostSession(error)) throw error;
        return useOnce(target, signal, work);
      });
    },
    prepare(target) {
      if (!closing.signal.aborted && !failed.has(keyOf(target))) entryOf(target);
    },
    async close() {
      closing.abort();
      const open = [...entries.values()].flatMap(({ opened }) => opened ?? []);
      for (const [id, entry] of entries) drop(id, entry);
      await Promise.all(open.map((connection) => connection.close()));
    },
  };
}

/** Connections are shared by those who call with the same account, and by nobody else. */
function keyOf({ server, account }: McpTarget): string {
  return account === undefined ? server.id : `${server.id} ${account.id}`;
}

function isLostSession(error: unknown): boolean {
  return error instanceof McpServerError && error.isLostSession;
}

/** Connects, and stores the server's tools, now and after each change. */
async function open(
  services: McpServices & { readonly log: Logger },
  { tenant: service, server, account }: McpTarget,
  closing: AbortSignal,
  onClosed: () => void,
): Promise<McpConnection> {
  const { workspaceId } = service;
  const tenant = account?.userId == null ? service : { ...service, userId: account.userId };
  const headers = headersOf(services, tenant, server);
  const endpoint = { workspaceId, url: server.url, headers, auth: account?.auth };
  const refresh = atIntervals(LIST_INTERVAL_MS, async () => {
    if (connection === undefined || !connection.isOpen()) return;
    const tools = await readTools({ ...services, workspaceId }, await connection.listTools(closing));
    await saveDiscovered(services, tenant, { server, info: connection.info, tools });
  });
  const onToolsChanged = () =>
    void refresh().catch((error: unknown) => {
      const isTheirs = error instanceof McpServerError;
      const why = isTheirs ? { reason: withoutSecrets(error.message, connection?.secrets() ?? {}) } : { err: error };
      services.log.warn({ ...why, mcpServerId: server.id }, "could not list the tools of an MCP server again");
    });
  let connection: McpConnection | undefined;
  try {
    const found = await openMcpServer(services, endpoint, { signal: closing, onToolsChanged, onClosed });
    connection = found.connection;
    await saveDiscovered(services, tenant, { server, ...found });
    return found.connection;
  } catch (error) {
    closing.throwIfAborted();
    if (!(error instanceof McpServerError)) throw error;
    await recordConnectionError(services, tenant, { server, error });
    throw error;
  }
}

/** Runs work immediately, but at most once per `ms`; calls in between are merged into one later run. */
function atIntervals(ms: number, work: () => Promise<void>): () => Promise<void> {
  let last = -Infinity;
  let waiting: Promise<void> | undefined;
  return () =>
    (waiting ??= (async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, last + ms - performance.now())).unref());
      waiting = undefined;
      last = performance.now();
      await work();
    })());
}

/** Waits for a promise shared with others, until the signal aborts. */
async function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
