import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { RECORD_FILE } from "#db/embedded/cluster-location.ts";
import type { Database } from "#db/database.ts";
import { migrate, planMigrations } from "#db/migrate.ts";
import type { MigrationPlan } from "#db/migrate.ts";
import { releaseCopy } from "#db/queries/access/hold.ts";
import { SERVICE_URL, readSetting } from "#db/queries/access/first-start.ts";
import { listAllWorkspaces } from "#db/queries/access/instance-workspaces.ts";
import type { InstanceWorkspace } from "#db/queries/access/instance-workspaces.ts";
import { KEY_SCOPES } from "#domain/access/api-key.ts";
import type { KeyKind } from "#domain/access/api-key.ts";
import type { Plan } from "#domain/access/plan.ts";
import { AppError } from "#domain/errors.ts";
import { issueBreakGlass, requiresPasskeys } from "#operations/accounts/break-glass.ts";
import { forgetPasskeys } from "#operations/accounts/forget-passkeys.ts";
import { issueOperatorKey } from "#operations/accounts/first-start.ts";
import type { FirstStart } from "#operations/accounts/first-start.ts";
import { setPlanBySlug } from "#operations/accounts/instance-workspaces.ts";
import { issueReset } from "#operations/accounts/passwords.ts";
import { renewSetupToken } from "#operations/accounts/setup.ts";
import { keyVariables, setupLink } from "./announce.ts";
import type { Config } from "#config/config.ts";
import { connectDatabase } from "./connect-database.ts";
import { examine } from "./doctor/examine.ts";
import type { Examined } from "./doctor/examine.ts";
import { examineTenancy } from "./doctor/tenancy.ts";
import type { TenancyOptions } from "./doctor/tenancy.ts";
import { openInstance } from "./instance.ts";
import type { Instance } from "./instance.ts";
import { isInFolder } from "./keys/wrapping-key.ts";
import { publicUrl, serviceUrl } from "./listen.ts";
import { runOrExit, prepare } from "./prepare.ts";
import { rotateEncryptionKey } from "./keys/rotate-key.ts";
import type { Rotation } from "./keys/rotate-key.ts";

// What an operator with access to the database can do without a running service.

const WHERE_TO_RUN = "run this where the service runs, with its DATABASE_URL or MUSTER_DATA.";

/** Prepares the database and creates the first workspace; prints what it created. */
export async function init(options: { readonly json: boolean }): Promise<void> {
  await withInstance((instance, config) => {
    const { created } = instance;
    if (options.json) print(JSON.stringify(created === undefined ? { created: false } : asJson(created)));
    else if (created === undefined) print("This instance has a workspace already; nothing was changed.");
    else printCreated(created, config);
    return Promise.resolve();
  });
}

/** Prints a one-time link to set a person's new password. */
export async function resetPassword(email: string, workspaceId?: string): Promise<void> {
  await withInstance(async ({ db, created }, config) => {
    if (created !== undefined) printCreated(created, config);
    const token = await issueReset(db, email, workspaceId);
    print(`Set a new password, once, within a day: ${await runningUrl(db, config)}/auth/reset?token=${token}`);
  }, assertHere);
}

/** Removes a person's passkeys, so that they can add a new one after a sign-in with their password. */
export async function resetPasskeys(email: string, workspaceId?: string): Promise<void> {
  await withInstance(async ({ db, created }, config) => {
    if (created !== undefined) printCreated(created, config);
    const removed = await forgetPasskeys(db, email, workspaceId);
    const count = removed === 1 ? "1 passkey" : `${removed} passkeys`;
    print(`Removed ${count} of ${email}. All their sessions have ended.`);
  }, assertHere);
}

/** Prints a new one-time link to set up the owner's account; it replaces the earlier one. */
export async function printSetupLink(): Promise<void> {
  await withInstance(async ({ db, created }, config) => {
    if (created !== undefined) printCreated(created, config);
    const token = await renewSetupToken(db);
    const mayLockOut = config.PASSWORD_SIGN_IN === "off" || (await requiresPasskeys(db));
    const emergency = token === undefined && mayLockOut ? await issueBreakGlass(db) : undefined;
    if (emergency !== undefined) {
      const link = `${await runningUrl(db, config)}/auth/break-glass?token=${emergency}`;
      return print(`Sign in as the owner, once, within 15 minutes: ${link}`);
    }
    if (token === undefined) {
      throw new AppError(
        "conflict",
        "The owner's account is set up already. For a new password: muster reset-password <email>",
      );
    }
    print(`Finish setup in the browser, once: ${setupLink(await runningUrl(db, config), token)}`);
  }, assertHere);
}

/** Lists all workspaces of the instance. */
export function listWorkspaces(): Promise<readonly InstanceWorkspace[]> {
  return withInstance(({ db, created }, config) => {
    if (created !== undefined) printCreated(created, config);
    return listAllWorkspaces(db);
  }, assertHere);
}

/** Sets the plan of the workspace with this slug or id. */
export function setPlan(slug: string, plan: Plan): Promise<InstanceWorkspace> {
  return withInstance(({ db }) => setPlanBySlug(db, slug, plan), assertHere);
}

/** Runs a function with the database and the settings of the service, for `muster ops` and `muster erase`. */
export function operate<T>(work: (db: Database, instance: Instance, config: Config) => Promise<T>): Promise<T> {
  return withInstance((instance, config) => work(instance.db, instance, config), assertHere);
}

/** Examines the installation. */
export function runDoctor(): Promise<readonly Examined[]> {
  return examine(prepareHere);
}

/** Asks every table and route of the installation for another workspace's rows. */
export function runTenancyDoctor(options: TenancyOptions): Promise<readonly Examined[]> {
  return examineTenancy(prepareHere, options);
}

async function prepareHere(): Promise<Config> {
  const { config } = await prepare();
  assertHere(config);
  return config;
}

/** Migrates the schema of the configured database; returns the names of what it applied. */
export function migrateHere(): Promise<readonly string[]> {
  return withServer(async (url) => (await migrate(url, () => Promise.resolve())).applied);
}

/** Reads what {@link migrateHere} would change. */
export function planHere(): Promise<MigrationPlan> {
  return withServer((url) => planMigrations(url));
}

/** How often a long rotation says how far it is, in milliseconds. */
const PROGRESS_MS = 1_000;

/** Re-encrypts all stored secrets with a new key; prints their number. */
export async function rotateKey(): Promise<void> {
  await runOrExit(async () => {
    const { config, log } = await prepare();
    assertHere(config);
    let saidAt = performance.now();
    const rotation = await rotateEncryptionKey(config, log, (done, all) => {
      if (performance.now() - saidAt < PROGRESS_MS) return;
      saidAt = performance.now();
      process.stderr.write(`Re-encrypted ${done} of ${all} secrets.\n`);
    });
    print(sayRotation(rotation, config));
  });
}

function sayRotation({ secrets, generation, fingerprint, left }: Rotation, config: Config): string {
  const done = `Re-encrypted ${secrets} secrets with data key ${generation}, wrapped by the encryption key ${fingerprint}.`;
  if (left.length > 0) {
    return (
      `${done} ${left.join(", ")} still use the old encryption key, so both work. ` +
      "Restart them with the new one; then run this again with it, and the old one stops working."
    );
  }
  return `${done} ${isInFolder(config) ? "It is in the data folder." : "No other key works."}`;
}

/** Lets a restored copy act. */
export async function releaseRestored(): Promise<void> {
  await withInstance(async ({ db }) => {
    if (!(await releaseCopy(db))) throw new AppError("conflict", "This database is not held: nothing was changed.");
    print("Released: runs, schedules, triggers and deliveries continue within a second, or at the next start.");
  }, assertHere);
}

const keyOptions = z.object({
  scopes: z
    .array(z.enum(KEY_SCOPES, { error: "--scopes is read, write or both" }))
    .min(1)
    .default([...KEY_SCOPES]),
  expires: z.iso.datetime({ offset: true, error: "--expires is a time such as 2030-01-31T12:00:00Z" }).optional(),
});

/** Creates a key of the first workspace for its owner, in the configured database; returns its text. */
export async function createKey(options: {
  readonly kind: KeyKind;
  readonly label: string;
  readonly scopes: readonly string[] | undefined;
  readonly expires: string | undefined;
}): Promise<string> {
  const parsed = keyOptions.safeParse(options);
  return withInstance(
    ({ db, created }, config) => {
      if (!parsed.success)
        throw new AppError("bad_request", parsed.error.issues.map(({ message }) => message).join("\n"));
      if (created !== undefined) printCreated(created, config);
      const { scopes, expires } = parsed.data;
      const expiresAt = expires === undefined ? null : new Date(expires);
      return issueOperatorKey(db, { kind: options.kind, label: options.label, scopes, expiresAt });
    },
    assertExists((absent) => `No API key is set, and ${absent}. Run "muster login", or ${WHERE_TO_RUN}`),
  );
}

/**
 * A missing database would be created: a wrong folder must not look like a new service.
 * @param explain says what to do, given that the service is not there
 */
function assertExists(explain: (absent: string) => string): (config: Config) => void {
  return ({ DATABASE_URL: url, MUSTER_DATA: folder }) => {
    if (url !== undefined || existsSync(join(folder, RECORD_FILE))) return;
    throw new AppError("not_found", explain(`there is no service in ${resolve(folder)}`));
  };
}

/** The URL of the service that last started on this database: its port may differ from this shell's PORT. */
async function runningUrl(db: Pick<Database, "query">, config: Config): Promise<string> {
  return publicUrl(config) ?? (await readSetting(db, SERVICE_URL)) ?? serviceUrl(config, config.PORT);
}

/** Rejects settings that lead to no service. @throws AppError */
export const assertHere = assertExists((absent) => `Here ${absent}: ${WHERE_TO_RUN}`);

/** Runs a function with the configured database. */
function withInstance<T>(
  work: (instance: Instance, config: Config) => Promise<T>,
  check: (config: Config) => void = () => undefined,
): Promise<T> {
  return runOrExit(async () => {
    const { config, log } = await prepare();
    check(config);
    const instance = await openInstance(config, log);
    try {
      return await work(instance, config);
    } finally {
      await instance.close();
    }
  });
}

/** Runs a function with the address of the configured database as it is. */
function withServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  return runOrExit(async () => {
    const { config, log } = await prepare();
    assertHere(config);
    const place = await connectDatabase(config, {
      signal: new AbortController().signal,
      warn: (line) => log.warn(line),
    });
    try {
      return await work(place.url);
    } finally {
      await place.embedded?.stop();
    }
  });
}

function printCreated(created: FirstStart, config: Config): void {
  print(`Created workspace "${created.workspaceName}". Copy its keys now; they won't be shown again:`);
  for (const line of keyVariables(created, undefined, config)) print(`  ${line}`);
}

function asJson(created: FirstStart) {
  return {
    created: true,
    workspace_id: created.workspaceId,
    workspace_name: created.workspaceName,
    owner_email: created.ownerEmail,
    api_key: created.keys.envelope,
    table_key: created.keys.table,
    agui_key: created.keys["ag-ui"],
    a2a_key: created.keys.a2a,
    mcp_key: created.keys.mcp,
    anon_key: created.keys.anon,
    setup_token: created.setupToken,
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
