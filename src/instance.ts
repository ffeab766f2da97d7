import type { Logger } from "pino";
import { openDatabase } from "#db/database.ts";
import type { Database } from "#db/database.ts";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { migrate } from "#db/migrate.ts";
import { createPgvector } from "#db/pgvector.ts";
import { migrateEngine } from "#engine/durable.ts";
import { atMost } from "#lib/at-most.ts";
import type { SecretBox } from "#lib/secret-box.ts";
import { firstStart } from "#operations/first-start.ts";
import type { FirstStart } from "#operations/first-start.ts";
import type { Config } from "./config.ts";
import { fittingBox, openSecretBoxes } from "./encryption-key.ts";

/** Statements that are under way when everything else has ended have had their time. */
const CLOSE_MS = 1_000;

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
    await atMost(CLOSE_MS, db.close());
    await embedded?.stop();
  }
  try {
    const { applied, result } = await migrate(url, async () => {
      const boxes = await openSecretBoxes(config.ENCRYPTION_KEY, config.MUSTER_DATA);
      await migrateEngine(url);
      await createPgvector(db, log);
      const secrets = await fittingBox(db, boxes, config.MUSTER_DATA);
      return { secrets, made: await firstStart(db, firstStartOptions(config)) };
    });
    log.info({ applied }, "schema is up to date");
    return { url, db, ...result, close, notices: embedded?.notice === undefined ? [] : [embedded.notice] };
  } catch (error) {
    await close();
    throw error;
  }
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
