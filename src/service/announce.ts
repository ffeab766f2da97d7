import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { styleText } from "node:util";
import { VERSION } from "#domain/version.ts";
import type { FirstStart } from "#operations/accounts/first-start.ts";
import { isSetupOpen, renewSetupToken } from "#operations/accounts/setup.ts";
import type { Config } from "#config/config.ts";
import type { Instance } from "./instance.ts";

/** The file in the data folder that receives the first keys when there is no terminal. */
const KEY_FILE = "first-keys.env";
/** The folder of the `muster` command. */
const BIN = resolve(import.meta.dirname, "../../bin");

/** A service that is ready, and whether its output is a terminal. */
export interface Announced {
  readonly url: string;
  readonly opsUrl: string | undefined;
  readonly instance: Instance;
  readonly config: Config;
  readonly isTerminal: boolean;
}

/**
 * The lines printed at start: the URL, how to sign in, and what to do next. Keys created by the first start are printed
 * on a terminal only; otherwise they go to a file readable only by this user. Later starts on a terminal print a new
 * set-up link until one is used.
 */
export async function announcement({ url, opsUrl, instance, config, isTerminal }: Announced): Promise<string[]> {
  const { created, notices } = instance;
  const place = config.DATABASE_URL === undefined ? `data in ${resolve(config.MUSTER_DATA)}` : "on DATABASE_URL";
  return [
    `Muster is ready at ${url}`,
    `Version ${VERSION}, ${place}`,
    ...(opsUrl === undefined ? [] : [`Metrics are at ${opsUrl}`]),
    ...notices,
    ...(created === undefined
      ? ["Get a key: muster keys create", ...(await openSetUpLines({ url, instance, isTerminal }).catch(() => []))]
      : ["", ...setUpLines(created, url), ...keyLines(created, { url, config, isTerminal })]),
    ...(isTerminal ? ["", "Ctrl-C stops."] : []),
  ];
}

/** The one-time link with which a person sets up the owner's account. */
export function setupLink(url: string, token: string): string {
  return `${url}/auth/setup?token=${token}`;
}

/** A later start keeps the link out of logs, whose readers could use it. A database outage only omits these lines. */
async function openSetUpLines({
  url,
  instance: { db },
  isTerminal,
}: Pick<Announced, "url" | "instance" | "isTerminal">): Promise<string[]> {
  if (!isTerminal) return (await isSetupOpen({ db })) ? ["Get the link to finish setup: muster setup-link"] : [];
  const token = await renewSetupToken(db);
  return token === undefined ? [] : ["", ...linkLines(url, token)];
}

function setUpLines({ workspaceName, setupToken }: FirstStart, url: string): string[] {
  const title = `Created workspace "${workspaceName}".`;
  if (setupToken === null) return [title];
  return [title, "", ...linkLines(url, setupToken)];
}

function linkLines(url: string, token: string): string[] {
  return [heading("Finish setup in the browser (one-time link):"), `  ${setupLink(url, token)}`];
}

function keyLines(created: FirstStart, { url, config, isTerminal }: Omit<Announced, "instance" | "opsUrl">): string[] {
  if (!isTerminal) return fileLines(created, url, config);
  const isGiven = config.MUSTER_INIT_API_KEY !== undefined;
  return [
    "",
    heading("In another terminal, to use it from the command line:"),
    ...(isOnPath() ? [] : [`  export PATH="${BIN}:$PATH"`]),
    `  export MUSTER_URL=${url}`,
    ...(isGiven ? [] : [`  export MUSTER_API_KEY=${created.keys.envelope}`]),
    "",
    heading("Then try:"),
    "  muster agents create --name Writer --model demo",
    '  muster tasks create --agent Writer --title "Say hello" --watch',
    "",
    "The key is not shown again. More keys, also for AG-UI, A2A, MCP and tables:",
    "  muster keys create --help",
  ];
}

/** Logs are stored and shipped elsewhere, so a key in them would no longer be secret. */
function fileLines(created: FirstStart, url: string, config: Config): string[] {
  const content = keyVariables(created, url, config);
  if (content.length === 1) return [];
  const file = resolve(config.MUSTER_DATA, KEY_FILE);
  // With DATABASE_URL, ENCRYPTION_KEY and S3_BUCKET nothing has needed the folder yet.
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${content.join("\n")}\n`, { mode: 0o600 });
  return [
    `Wrote the workspace's keys to ${file}; only this user can read it. Move them to a safe place and delete the file.`,
  ];
}

/** The generated keys, as lines of an environment file; keys set by the operator are not repeated. */
export function keyVariables({ keys }: FirstStart, url: string | undefined, config: Config): string[] {
  const all: readonly (readonly [string, string, string | undefined])[] = [
    ["MUSTER_API_KEY", keys.envelope, config.MUSTER_INIT_API_KEY],
    ["MUSTER_AGUI_KEY", keys["ag-ui"], config.MUSTER_INIT_AGUI_KEY],
    ["MUSTER_A2A_KEY", keys.a2a, config.MUSTER_INIT_A2A_KEY],
    ["MUSTER_MCP_KEY", keys.mcp, config.MUSTER_INIT_MCP_KEY],
    ["MUSTER_TABLE_KEY", keys.table, config.MUSTER_INIT_TABLE_KEY],
    ["MUSTER_ANON_KEY", keys.anon, config.MUSTER_ANON_KEY],
  ];
  const shown = all.flatMap(([name, key, given]) => (given === undefined ? [`${name}=${key}`] : []));
  return url === undefined ? shown : [`MUSTER_URL=${url}`, ...shown];
}

function isOnPath(): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, "muster"), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function heading(text: string): string {
  return styleText("bold", text);
}
