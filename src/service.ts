import { hostname } from "node:os";
import { serve as listen } from "@hono/node-server";
import type { ServerType } from "@hono/node-server";
import type { Logger } from "pino";
import { openDatabase } from "#db/database.ts";
import type { Database } from "#db/database.ts";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { openListener } from "#db/listener.ts";
import { migrate } from "#db/migrate.ts";
import { announceEvents, announceFollowers, findGrownLogs } from "#db/queries/task-events.ts";
import { createPriceList } from "#domain/prices.ts";
import { migrateEngine } from "#engine/durable.ts";
import { createEngine } from "#engine/engine.ts";
import { createApp } from "#http/app.ts";
import { drainServer } from "#lib/drain-server.ts";
import { createSafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { SecretBox } from "#lib/secret-box.ts";
import { createSessionRing } from "#operations/accounts/session-ring.ts";
import { createKeyRing } from "#operations/authenticate.ts";
import { createBlobSweeper } from "#operations/blobs.ts";
import { createFileLinks } from "#operations/file-links.ts";
import { createEventBus } from "#operations/event-bus.ts";
import type { BusLinks } from "#operations/event-bus.ts";
import { firstStart } from "#operations/first-start.ts";
import type { FirstStart } from "#operations/first-start.ts";
import { createRateLimits } from "#operations/rate-limits.ts";
import { PROVIDERS } from "#providers/registry.ts";
import { TOOLS } from "#tools/registry.ts";
import type { Config } from "./config.ts";
import { checkFingerprint, openSecretBox } from "./encryption-key.ts";
import { connectEvents } from "./connect-events.ts";
import { openBlobs } from "./open-blobs.ts";
import { searchSettings } from "./search-settings.ts";

const MIB = 1024 * 1024;
/**
 * How long an idle connection stays open, in milliseconds: longer than balancers and clients keep theirs, which would
 * otherwise send a request over one that is just being closed.
 */
const KEEP_ALIVE_MS = 75_000;

/** The database of this instance, ready to use. */
export interface Instance {
  readonly url: string;
  readonly db: Database;
  readonly secrets: SecretBox;
  /** What the first start made; undefined at every later one. */
  readonly made: FirstStart | undefined;
  /** Sentences for the operator. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/** Something else listens on the service's port. */
export class PortTaken extends Error {
  constructor({ HOST, PORT }: Config) {
    super(`${HOST}:${PORT} is taken by another program. Set PORT to a free one.`);
    this.name = "PortTaken";
  }
}

/** A service that answers requests. */
export interface RunningService {
  /** Where it is reached, without a trailing slash. */
  readonly url: string;
  readonly instance: Instance;
  /** Stops taking requests and runs, lets steps under way finish, and closes everything. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Opens the database: the one of DATABASE_URL, or the private one in the data folder. Brings its
 * schema up to date and makes the first workspace if there is none.
 */
export async function openInstance(config: Config, log: Logger): Promise<Instance> {
  const embedded =
    config.DATABASE_URL === undefined
      ? await startEmbeddedPostgres({ dataFolder: config.MUSTER_DATA, log: (line) => log.warn(line) })
      : undefined;
  const url = config.DATABASE_URL ?? embedded?.url ?? "";
  const db = openDatabase({
    url,
    poolSize: config.DATABASE_POOL,
    onIdleError: (error) => log.warn({ err: error }, "database connection lost"),
  });
  async function close(): Promise<void> {
    await db.close();
    await embedded?.stop();
  }
  try {
    const secrets = await openSecretBox(config.ENCRYPTION_KEY, config.MUSTER_DATA);
    let made: FirstStart | undefined;
    const applied = await migrate(url, async () => {
      await migrateEngine(url);
      await checkFingerprint(db, secrets);
      made = await firstStart(db, firstStartOptions(config));
    });
    log.info({ applied }, "schema is up to date");
    return { url, db, secrets, made, close, notices: embedded?.notice === undefined ? [] : [embedded.notice] };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Starts everything: database, engine, and the surfaces on one port.
 * @throws PortTaken when something else listens there; whatever was started is stopped again.
 */
export async function startService(config: Config, log: Logger): Promise<RunningService> {
  const blobs = openBlobs(config);
  const instance = await openInstance(config, log);
  const undo: (() => Promise<unknown> | void)[] = [() => instance.close()];
  const graceMs = config.SHUTDOWN_GRACE * 1_000;
  async function stop(): Promise<void> {
    for (const step of undo.splice(0).toReversed()) await step();
  }
  try {
    const { db, secrets, url: databaseUrl } = instance;
    const events = createEventBus(busLinks(db, log));
    const keys = createKeyRing(db);
    const sessions = createSessionRing(db, secrets);
    const reach = config.ALLOW_PRIVATE_URLS ? "private" : "public";
    const fetch = createSafeFetch({ reach });
    const sweeper = createBlobSweeper({ db, blobs, onError: (error) => log.warn({ err: error }, "files were left") });
    const engine = createEngine({
      ...engineSettings(config),
      db,
      databaseUrl,
      events,
      secrets,
      reach,
      fetch,
      blobs,
      sweeper,
      log,
    });
    const listener = await openListener(databaseUrl, (error) => log.warn({ err: error }, "listening connection lost"));
    const limits = createRateLimits(db, requestLimits(config));
    undo.push(
      () => limits.close(),
      () => listener.close(),
      connectEvents({ listener, events, keys, sessions, engine, limits }),
    );
    const closing = new AbortController();
    const app = createApp({
      db,
      secrets,
      events: { ...events, publish: (...told) => db.afterCommit(() => events.publish(...told)) },
      keys,
      sessions,
      limits,
      log,
      blobs,
      links: createFileLinks(secrets),
      maxFileBytes: config.MAX_FILE_BYTES,
      embedder: engine.embedder,
      maxDocumentBytes: config.KNOWLEDGE_MAX_FILE_MIB * MIB,
      // Rows that are deleted are gone for others, too, when they are committed.
      sweeper: { soon: () => db.afterCommit(() => sweeper.soon()) },
      // The engine can take only what is committed, and followers can only see that.
      queue: {
        wake: (...work) => db.afterCommit(() => engine.queue.wake(...work)),
        forget: (...work) => db.afterCommit(() => engine.queue.forget(...work)),
      },
      providerIds: PROVIDERS.map(({ id }) => id),
      toolNames: TOOLS.map(({ name }) => name),
      fetch,
      allowPrivateUrls: config.ALLOW_PRIVATE_URLS,
      maxBodyBytes: config.MAX_BODY_BYTES,
      signUps: config.SIGN_UP,
      defaultPlan: config.DEFAULT_PLAN,
      publicUrl: publicUrl(config),
      trustedProxies: config.TRUSTED_PROXIES,
      table: tableLimits(config),
      closing: closing.signal,
    });
    const { server, port } = await listenOn(app.fetch, config);
    undo.push(() => drainServer(server, graceMs));
    await engine.start();
    // Both at once: requests that follow a run end when the run has come to rest.
    undo.push(() => {
      closing.abort();
      return Promise.all([drainServer(server, graceMs), engine.stop(graceMs)]);
    });
    let stopped: Promise<void> | undefined;
    return { url: serviceUrl(config, port), instance, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await stop();
    throw error;
  }
}

function engineSettings(config: Config) {
  return {
    providers: PROVIDERS,
    tools: TOOLS,
    toolSettings: toolSettings(config),
    instance: instanceConnections(config),
    prices: createPriceList(config.MODEL_PRICES),
    limits: {
      maxSteps: config.MAX_STEPS,
      maxRepeats: config.MAX_REPEATS,
      taskTimeoutMs: config.TASK_TIMEOUT * 1_000,
      teamRunTimeoutMs: config.RUN_TIMEOUT * 1_000,
      modelAttempts: config.MODEL_ATTEMPTS,
      modelTimeoutMs: config.MODEL_TIMEOUT * 1_000,
      toolTimeoutMs: config.TOOL_TIMEOUT * 1_000,
      budgetOutputTokens: config.BUDGET_OUTPUT_TOKENS,
      budgetBytesPerToken: config.BUDGET_BYTES_PER_TOKEN,
    },
    concurrency: { perProcess: config.RUNS_PER_PROCESS, perWorkspace: config.RUNS_PER_WORKSPACE },
    knowledge: {
      extraction: {
        pages: config.KNOWLEDGE_MAX_PAGES,
        characters: config.KNOWLEDGE_MAX_CHARACTERS,
        unpackedBytes: config.KNOWLEDGE_MAX_UNPACKED_MIB * MIB,
        memoryBytes: config.KNOWLEDGE_MEMORY_MIB * MIB,
        timeoutMs: config.KNOWLEDGE_TIMEOUT * 1_000,
      },
      concurrency: { perProcess: config.KNOWLEDGE_PER_PROCESS, perWorkspace: config.KNOWLEDGE_PER_PROCESS },
      embeddingModel: config.EMBEDDING_MODEL,
    },
    retentionDays: config.RETENTION_DAYS,
  };
}

function toolSettings(config: Config) {
  const search = searchSettings(config);
  return search === undefined ? {} : { search };
}

function requestLimits(config: Config) {
  return {
    envelope: {
      free: config.RATE_LIMIT_FREE,
      pro: config.RATE_LIMIT_PRO,
      team: config.RATE_LIMIT_TEAM,
      enterprise: config.RATE_LIMIT_ENTERPRISE,
    },
    tableMinute: config.RATE_LIMIT_TABLE_MINUTE,
    tableMonth: config.RATE_LIMIT_TABLE_MONTH,
  };
}

/** The table API leaves half of the connections to the others. */
function tableLimits(config: Config) {
  return {
    timeoutMs: config.TABLE_STATEMENT_TIMEOUT * 1_000,
    maxRows: config.TABLE_MAX_ROWS,
    concurrency: Math.ceil(config.DATABASE_POOL / 2),
  };
}

/** What is lost here is found when a process looks by itself, a few seconds later. */
function busLinks(db: Database, log: Logger): BusLinks {
  const warn = (error: unknown) => log.warn({ err: error }, "could not tell other processes");
  return {
    followers: (taskIds) => void announceFollowers(db, taskIds).catch(warn),
    events: (taskIds) => void announceEvents(db, taskIds).catch(warn),
    findGrown: (awaited) =>
      findGrownLogs(db, awaited).catch((error: unknown) => {
        log.warn({ err: error }, "could not look for missed events");
        return [];
      }),
  };
}

function listenOn(
  fetch: Parameters<typeof listen>[0]["fetch"],
  config: Config,
): Promise<{ readonly server: ServerType; readonly port: number }> {
  return new Promise((resolve, reject) => {
    const at = { port: config.PORT, hostname: config.HOST, serverOptions: { keepAliveTimeout: KEEP_ALIVE_MS } };
    const server = listen({ fetch, ...at }, ({ port }) => resolve({ server, port }));
    server.once("error", (error) => reject(isTaken(error) ? new PortTaken(config) : error));
  });
}

function isTaken(error: Error): boolean {
  return "code" in error && error.code === "EADDRINUSE";
}

/** Where the service is reached that listens on a port: its public address, if it has one. */
export function serviceUrl(config: Config, port: number): string {
  return publicUrl(config) ?? `http://${publicHost(config.HOST)}:${port}`;
}

function publicUrl({ PUBLIC_URL }: Config): string | undefined {
  return PUBLIC_URL?.replace(/\/+$/, "");
}

function publicHost(host: string): string {
  return host === "0.0.0.0" || host === "::" ? hostname() : host.includes(":") ? `[${host}]` : host;
}

function firstStartOptions(config: Config) {
  return {
    email: config.MUSTER_INIT_EMAIL,
    password: config.MUSTER_INIT_PASSWORD,
    workspace: config.MUSTER_INIT_WORKSPACE,
    plan: config.DEFAULT_PLAN,
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

function instanceConnections(config: Config) {
  const connection = (apiKey: string | undefined, baseUrl: string | undefined) => ({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/, "") }),
  });
  return {
    openai: connection(config.OPENAI_API_KEY, config.OPENAI_BASE_URL),
    anthropic: connection(config.ANTHROPIC_API_KEY, config.ANTHROPIC_BASE_URL),
    google: connection(config.GOOGLE_GENERATIVE_AI_API_KEY, config.GOOGLE_BASE_URL),
    "openai-compatible": connection(config.OPENAI_COMPATIBLE_API_KEY, config.OPENAI_COMPATIBLE_BASE_URL),
  };
}
