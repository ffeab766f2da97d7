import { fork, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { generateKey } from "#domain/access/api-key.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
/** Where `npm start` keeps compiled code. */
const COMPILE_CACHE = join(import.meta.dirname, "../../.runtime/compile-cache");
const PROVIDER = join(import.meta.dirname, "provider-process.ts");

const idOnly = z.object({ id: z.string() });

/** When a call reached the provider. */
export interface ProviderCall {
  readonly id: string;
  readonly receivedAt: number;
}

/** A process of the service: it may be ended at any time. */
export interface AddedService {
  readonly url: string;
  readonly process: ChildProcess;
}

/** A service on an embedded database, with a provider in its own process. */
export interface Stage {
  /** Starts another process of the service on the same database. */
  addService(env?: Readonly<Record<string, string>>): Promise<AddedService>;
  readonly url: string;
  readonly apiKey: string;
  readonly aguiKey: string;
  readonly mcpKey: string;
  /** The table key and the instance's anon key. */
  readonly tableKey: string;
  readonly anonKey: string;
  readonly databaseUrl: string;
  /** The provider's chat endpoint. */
  readonly providerUrl: string;
  readonly servicePid: number;
  readonly postgresPid: number;
  /** Called for every call that reaches the provider. */
  onProviderCall(handler: (call: ProviderCall) => void): void;
  /** Calls the API. */
  call(method: string, path: string, body?: object): Promise<{ readonly id: string }>;
  close(): Promise<void>;
}

/** Starts database, provider and service. */
export async function openStage(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "muster-bench-"));
  // As root, the server runs as another user, which needs access to the folder.
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres({ dataFolder: folder });
  const provider = fork(PROVIDER);
  const [hello] = await once(provider, "message");
  const keys = {
    api: generateKey("envelope"),
    agui: generateKey("ag-ui"),
    mcp: generateKey("mcp"),
    table: generateKey("table"),
    anon: generateKey("anon"),
  };
  const settings = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    HOME: folder,
    PORT: "0",
    MUSTER_DATA: folder,
    RATE_LIMIT_ENTERPRISE: "100000000",
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `http://127.0.0.1:${hello.port}/v1`,
    MUSTER_INIT_API_KEY: keys.api,
    MUSTER_INIT_AGUI_KEY: keys.agui,
    MUSTER_INIT_MCP_KEY: keys.mcp,
    MUSTER_INIT_TABLE_KEY: keys.table,
    MUSTER_ANON_KEY: keys.anon,
    RATE_LIMIT_TABLE_MINUTE: "off",
    RATE_LIMIT_TABLE_MONTH: "off",
    ...env,
  };
  const { service, url } = await startService(folder, settings);
  const more: ChildProcess[] = [];
  const pidFile = await readFile(join(postgres.dataDirectory, "postmaster.pid"), "utf8");
  return {
    async addService(own = {}) {
      const added = await startService(folder, { ...settings, DATABASE_URL: postgres.url, ...own });
      more.push(added.service);
      return { url: added.url, process: added.service };
    },
    url,
    apiKey: keys.api,
    aguiKey: keys.agui,
    mcpKey: keys.mcp,
    tableKey: keys.table,
    anonKey: keys.anon,
    databaseUrl: postgres.url,
    providerUrl: `http://127.0.0.1:${hello.port}/v1/chat/completions`,
    servicePid: service.pid ?? 0,
    postgresPid: Number.parseInt(pidFile, 10),
    onProviderCall: (handler) => provider.on("message", handler),
    async call(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: { "X-API-Key": keys.api, "Content-Type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return idOnly.parse(await response.json());
    },
    async close() {
      for (const each of [...more, service]) {
        if (each.exitCode !== null || each.signalCode !== null) continue;
        each.kill("SIGTERM");
        await once(each, "exit");
      }
      provider.disconnect();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startService(folder: string, env: Readonly<NodeJS.ProcessEnv>) {
  const service = spawn(process.execPath, [MAIN], { cwd: folder, stdio: ["ignore", "pipe", "inherit"], env });
  let written = "";
  let url = "";
  while (url === "") {
    const [chunk] = await once(service.stdout, "data");
    written += String(chunk);
    url = /ready at (\S+)/.exec(written)?.[1] ?? "";
  }
  return { service, url };
}
