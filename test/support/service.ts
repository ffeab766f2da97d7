import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { generateKey } from "#domain/access/api-key.ts";
import { newId } from "#lib/ids.ts";
import { inDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "./hosts/node-environment.ts";
import { startHosted } from "./hosts/service-host.ts";
import type { HostName } from "./hosts/service-host.ts";
import { sql } from "./workspace.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
const INSUFFICIENT_PRIVILEGE = "42501";
const READY = /Muster is ready at (\S+)/;

/** A database for one test file, copied from the template. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Makes a database with the schema in it. */
export async function createDatabase(): Promise<TestDatabase> {
  const serverUrl = inject("serverUrl");
  const template = inject("templateName");
  const name = `${template}_${newId().slice(-12)}`;
  // Copying files takes half the CPU time of writing the template's rows to the write-ahead log, with their removal.
  await sql(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = inDatabase(serverUrl, name);
  const requestRole = "select 'muster_requests_' || oid as role from pg_database where datname = $1";
  const [found] = await sql<{ role: string }>(serverUrl, requestRole, [name]);
  return {
    url,
    async drop() {
      await eventually("the database is dropped", () => dropDatabase(serverUrl, name));
      // The role of its requests, which does not go with it.
      await sql(serverUrl, `drop role if exists ${found?.role ?? ""}`);
    },
  };
}

/** False when it could not be dropped: a role that does not own the server cannot end a running autovacuum. */
async function dropDatabase(serverUrl: string, name: string): Promise<boolean> {
  return sql(serverUrl, `drop database if exists ${name} with (force)`).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === INSUFFICIENT_PRIVILEGE) return false;
      throw error;
    },
  );
}

/** The keys of a workspace, by default the first, of a test service. */
export interface TestKeys {
  readonly api: string;
  readonly agui: string;
  readonly a2a: string;
  readonly mcp: string;
  readonly table: string;
  readonly anon: string;
}

/** Makes a set of keys to start services with. */
export function createKeys(): TestKeys {
  return {
    api: generateKey("envelope"),
    agui: generateKey("ag-ui"),
    a2a: generateKey("a2a"),
    mcp: generateKey("mcp"),
    table: generateKey("table"),
    anon: generateKey("anon"),
  };
}

/** Where a service is, and the keys of a workspace in it. */
export interface TestAccess {
  readonly url: string;
  readonly keys: TestKeys;
  readonly databaseUrl: string;
}

/** A running service. */
export interface TestService extends TestAccess {
  /** Its data folder. */
  readonly folder: string;
  /** What it has written so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  /** Asks it to stop and waits for its end. */
  stop(): Promise<void>;
}

/** A running service in its own process. */
export interface TestProcess extends TestService {
  readonly process: ChildProcess;
  /** Ends it with SIGKILL and waits until it has ended. */
  kill(): Promise<void>;
}

/** Options of a test service; by default it creates its own database and keys. */
export interface StartOptions {
  readonly databaseUrl?: string;
  readonly keys?: TestKeys;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts a real service on a free port and waits until it is ready. It has a database, settings and a data folder of
 * its own, but shares a process with the other services of this worker: see `service-host.ts`.
 */
export function startService(options: StartOptions = {}): Promise<TestService> {
  return startIn("first", options);
}

/**
 * Starts a real service in another process than {@link startService} does, for what two processes do with one database.
 * That process is shared, too: a test that ends or freezes it needs {@link startProcess}.
 */
export function startPeer(options: StartOptions): Promise<TestService> {
  return startIn("second", options);
}

/** A new connection costs more than most tests send over it. Services in their own processes have the usual number. */
const FEW_CONNECTIONS = { DATABASE_POOL: "2", DATABASE_ENGINE_POOL: "2" };

async function startIn(host: HostName, options: StartOptions): Promise<TestService> {
  const place = await prepare({ ...options, env: { ...FEW_CONNECTIONS, ...options.env } });
  const { url, output, stop } = await startHosted(place.env, host).catch(async (error: unknown) => {
    await place.remove();
    throw error;
  });
  return {
    ...place.shown,
    url,
    output,
    stop: async () => {
      await stop();
      await place.remove();
    },
  };
}

const started = new Set<ChildProcess>();
const folders = new Set<string>();
// A test that fails half-way must not leave its processes running, or its folders.
process.once("exit", () => {
  for (const child of started) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Options of a service in its own process. */
export interface ProcessOptions extends StartOptions {
  /** Called with the process before it is ready. */
  readonly onSpawn?: (child: ChildProcess) => void;
  /** The `src/main.ts` of another version. */
  readonly main?: string;
}

/** Starts a real service in its own process, for tests that end it or freeze it. */
export async function startProcess({ onSpawn, main = MAIN, ...options }: ProcessOptions = {}): Promise<TestProcess> {
  const place = await prepare(options);
  const child = spawn(process.execPath, [...NODE_FLAGS, main], {
    cwd: place.shown.folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...NODE_ENVIRONMENT, ...place.env },
  });
  onSpawn?.(child);
  const written = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (written.stderr += chunk.toString()));
  const gone = once(child, "exit");
  started.add(child);
  child.once("exit", () => started.delete(child));

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await gone;
    await rm(place.shown.folder, { recursive: true, force: true });
  }
  return {
    ...place.shown,
    url: await waitUntilReady(child, written),
    process: child,
    output: () => ({ ...written }),
    stop: async () => {
      await end("SIGTERM");
      await place.remove();
    },
    kill: () => end("SIGKILL"),
  };
}

/** The environment of a service, and its own database unless one is given. */
async function prepare(options: StartOptions) {
  const own = options.databaseUrl === undefined ? await createDatabase() : undefined;
  const databaseUrl = options.databaseUrl ?? own?.url ?? "";
  const folder = await mkdtemp(join(tmpdir(), "muster-service-"));
  folders.add(folder);
  const keys = options.keys ?? createKeys();
  return {
    shown: { keys, databaseUrl, folder },
    env: { HOME: folder, ...environment({ databaseUrl, folder, keys }), ...options.env },
    remove: async () => {
      await rm(folder, { recursive: true, force: true });
      folders.delete(folder);
      await own?.drop();
    },
  };
}

/** The same key for all services, so that they can share a database. */
export const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");

/** Limits that no test meets by accident; an empty setting of these names brings the usual limit back. */
const MANY_REQUESTS = Object.fromEntries(
  ["FREE", "PRO", "TEAM", "ENTERPRISE", "PERSON", "TABLE_MINUTE", "TABLE_MONTH"].map((name) => [
    `RATE_LIMIT_${name}`,
    "1000000",
  ]),
);

function environment(of: { readonly databaseUrl: string; readonly folder: string; readonly keys: TestKeys }) {
  return {
    PORT: "0",
    DATABASE_URL: of.databaseUrl,
    MUSTER_DATA: of.folder,
    ENCRYPTION_KEY,
    SHUTDOWN_GRACE: "2",
    SCHEDULE_MIN_SECONDS: "1",
    ...MANY_REQUESTS,
    MUSTER_INIT_API_KEY: of.keys.api,
    MUSTER_INIT_AGUI_KEY: of.keys.agui,
    MUSTER_INIT_A2A_KEY: of.keys.a2a,
    MUSTER_INIT_MCP_KEY: of.keys.mcp,
    MUSTER_INIT_TABLE_KEY: of.keys.table,
    MUSTER_ANON_KEY: of.keys.anon,
  };
}

function waitUntilReady(child: ChildProcess, written: { stdout: string; stderr: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const [, url] = READY.exec(written.stdout) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on("data", look);
    child.once("exit", (code) => {
      reject(new Error(`The service ended with ${code} before it was ready.\n${written.stdout}${written.stderr}`));
    });
  });
}
