import { existsSync } from "node:fs";
import { pino } from "pino";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { readConfig } from "./config.ts";
import type { FirstStart } from "#operations/accounts/first-start.ts";
import { AppError } from "#domain/errors.ts";
import { issueReset } from "#operations/accounts/passwords.ts";
import { openInstance } from "./instance.ts";
import { serviceUrl } from "./listen.ts";
import { rotateEncryptionKey } from "./rotate-key.ts";
import { startService } from "./service.ts";
import type { RunningService } from "./service.ts";

const ENV_FILE = ".env";

/** Runs the service until it is told to stop (SIGINT, SIGTERM, or the end of the process that started it). */
export async function serve(): Promise<void> {
  await orExplain(async () => {
    const { config, log } = prepare();
    await start(config, log);
  });
}

/**
 * Starts the service in this process, prints its address and, once, what the first start made, and ends the process
 * in good order when it is told to stop, also while it starts.
 */
export async function start(config: Config, log: Logger): Promise<RunningService> {
  const starting = new AbortController();
  let service: RunningService | undefined;
  onStop((reason) => {
    log.info({ reason }, "stopping");
    if (service === undefined) starting.abort(new Stopped(reason));
    else endProcess(service, log);
  });
  try {
    service = await startService(config, log, starting.signal);
  } catch (error) {
    if (!starting.signal.aborted) throw error;
    process.exit(0);
  }
  if (starting.signal.aborted) endProcess(service, log);
  else process.stdout.write(announcement(service, config));
  return service;
}

/** Prepares the database and makes the first workspace, without serving; prints what was made. */
export async function init(options: { readonly json: boolean }): Promise<void> {
  await orExplain(async () => {
    const { config, log } = prepare();
    const instance = await openInstance(config, log);
    const { made } = instance;
    await instance.close();
    if (options.json)
      process.stdout.write(`${JSON.stringify(made === undefined ? { created: false } : asJson(made))}\n`);
    else if (made === undefined) process.stdout.write("This instance has a workspace already; nothing was made.\n");
    else process.stdout.write(`${firstStartLines(made, config).join("\n")}\n`);
  });
}

/** Prints a one-time link with which a person sets a new password, without serving. */
export async function resetPassword(email: string, workspaceId?: string): Promise<void> {
  await orExplain(async () => {
    const { config, log } = prepare();
    const instance = await openInstance(config, log);
    if (instance.made !== undefined) process.stdout.write(`${firstStartLines(instance.made, config).join("\n")}\n`);
    const token = await issueReset(instance.db, email, workspaceId).finally(() => instance.close());
    const link = `${serviceUrl(config, config.PORT)}/auth/reset?token=${token}`;
    process.stdout.write(`Set a new password, once, within a day: ${link}\n`);
  });
}

/** Encrypts all stored secrets with a new key, without serving; says how many. */
export async function rotateKey(): Promise<void> {
  await orExplain(async () => {
    const { config, log } = prepare();
    const { secrets, fingerprint } = await rotateEncryptionKey(config, log);
    const kept = config.ENCRYPTION_KEY === undefined ? "It is in the data folder." : "Start with it as ENCRYPTION_KEY.";
    process.stdout.write(`Re-encrypted ${secrets} secrets with the new key ${fingerprint}. ${kept}\n`);
  });
}

/** Reads the settings, from `.env` in the current folder too, and opens the log. @throws ConfigError. */
export function prepare(): { readonly config: Config; readonly log: Logger } {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  const config = readConfig();
  return { config, log: pino({ level: config.LOG_LEVEL }, pino.destination(2)) };
}

/** Ends the process with code 1 when `run` fails. An operator's fault is told in a sentence; ours keeps its stack. */
export async function orExplain(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof AppError) {
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    }
    const explained = error instanceof Error && (error.name !== "Error" || "code" in error);
    process.stderr.write(`${explained ? `${error.name}: ${error.message}` : format(error)}\n`);
    process.exit(1);
  }
}

function format(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** What a service says when it is ready: its address and, once, what the first start made. */
export function announcement({ url, instance }: RunningService, config: Config): string {
  const lines = [`Muster is ready at ${url}`, ...instance.notices];
  if (instance.made !== undefined) {
    lines.push("", ...firstStartLines(instance.made, config));
    const { setupToken } = instance.made;
    if (setupToken !== null) lines.push("", `Finish setup (one-time link): ${url}/auth/setup?token=${setupToken}`);
  }
  return `${lines.join("\n")}\n`;
}

/** The workspace and the keys that were made up, for people; keys that the operator has set are not repeated. */
export function firstStartLines(made: FirstStart, config: Config): string[] {
  const keys: readonly (readonly [string, string, string | undefined])[] = [
    ["API key", made.keys.envelope, config.MUSTER_INIT_API_KEY],
    ["AG-UI key", made.keys["ag-ui"], config.MUSTER_INIT_AGUI_KEY],
    ["A2A key", made.keys.a2a, config.MUSTER_INIT_A2A_KEY],
    ["MCP key", made.keys.mcp, config.MUSTER_INIT_MCP_KEY],
    ["Table API key", made.keys.table, config.MUSTER_INIT_TABLE_KEY],
    ["Anon key", made.keys.anon, config.MUSTER_ANON_KEY],
  ];
  const shown = keys.filter(([, , given]) => given === undefined);
  return [
    `Created workspace "${made.workspaceName}".${shown.length > 0 ? " Copy its keys now; they won't be shown again:" : ""}`,
    ...shown.map(([label, key]) => `  ${label.padEnd(14)} ${key}`),
  ];
}

function asJson(made: FirstStart) {
  return {
    created: true,
    workspace_id: made.workspaceId,
    workspace_name: made.workspaceName,
    owner_email: made.ownerEmail,
    api_key: made.keys.envelope,
    table_key: made.keys.table,
    agui_key: made.keys["ag-ui"],
    a2a_key: made.keys.a2a,
    mcp_key: made.keys.mcp,
    anon_key: made.keys.anon,
    setup_token: made.setupToken,
  };
}

/** The service was told to stop before it was ready. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

function onStop(stop: (reason: string) => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(signal));
  process.on("disconnect", () => stop("the launcher is gone"));
  process.channel?.unref();
}

function endProcess(service: RunningService, log: Logger): void {
  service.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, "could not stop cleanly");
      process.exit(1);
    },
  );
}

if (import.meta.filename === process.argv[1]) await serve();
