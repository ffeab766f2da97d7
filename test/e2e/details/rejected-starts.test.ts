import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { runMuster } from "../../support/muster.ts";
import { createDatabase, startService } from "../../support/service.ts";
import type { StartOptions, TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), "muster-start-"));
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const damaged = [
  {
    verifies: "operations.migrations.newer-schema",
    change:
      "insert into schema_migrations (version, name, checksum) values (998, '0998-late.sql', ''), (999, '0999-later.sql', '')",
    says: /SchemaError: .*version 999.*0999-later\.sql/,
  },
  {
    verifies: "operations.migrations.checksum",
    change: "update schema_migrations set checksum = 'other' where version = 1",
    says: /SchemaError: Migration 0001\S* was changed/,
  },
] as const;

for (const { change, says, ...row } of damaged) {
  verifies(row.verifies, `after "${change}" the start is rejected with the reason`, async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    await sql(own.url, change);
    expect(await refusedStart({ databaseUrl: own.url })).toMatch(says);
  });
}

verifies(
  ["accounts.encryption-key.given", "accounts.encryption-key.fingerprint"],
  "with another encryption key than the database's the start fails with the reason",
  async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    await (await startService({ databaseUrl: own.url })).stop();
    const otherKey = Buffer.alloc(32, 8).toString("base64");
    const output = await refusedStart({ databaseUrl: own.url, env: { ENCRYPTION_KEY: otherKey } });
    expect(output).toMatch(/EncryptionKeyError: .*not the one of this database.*ENCRYPTION_KEY/s);
    expect(output).not.toContain(otherKey);
    await (await startService({ databaseUrl: own.url })).stop();
  },
);

verifies(
  ["accounts.encryption-key.made", "accounts.encryption-key.fingerprint", "start.embedded.data-folder"],
  "without one an encryption key is created in the data folder, for its owner only, and reused",
  async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    const env = { ENCRYPTION_KEY: "", MUSTER_DATA: folder };
    await (await startService({ databaseUrl: own.url, env })).stop();
    const path = join(folder, "encryption.key");
    const made = await readFile(path, "utf8");
    expect(Buffer.from(made, "base64")).toHaveLength(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await (await startService({ databaseUrl: own.url, env })).stop();
    expect(await readFile(path, "utf8")).toBe(made);
    const elsewhere = { ...env, MUSTER_DATA: join(folder, "elsewhere") };
    expect(await refusedStart({ databaseUrl: own.url, env: elsewhere })).toContain("EncryptionKeyError");
    expect(existsSync(join(folder, "elsewhere", "encryption.key")), "a rejected start makes no key").toBe(false);
  },
);

verifies(
  "operations.database.named",
  "a database that cannot be used is named by its setting, without its password",
  async () => {
    const mysql = await refusedStart({ databaseUrl: "mysql://somebody:hush-hush@127.0.0.1/muster" });
    expect(mysql).toMatch(/ConfigError: .*DATABASE_URL is a URL such as postgresql:/s);
    const absent = new URL(database.url);
    absent.pathname = "/not-there";
    const output = await refusedStart({ databaseUrl: absent.href });
    expect(output).toMatch(
      /DatabaseUnreachableError: DATABASE_URL: PostgreSQL at .* refuses the connection: .*does not exist/,
    );
    expect(mysql + output).not.toContain("hush-hush");
  },
);

const HOSTS = /DATABASE_URL has several hosts, and only one is possible: a name that always leads to the primary/;
const UNUSABLE_URLS = [
  ["postgresql://muster:hush-hush@a:5432,b:5432/muster", HOSTS],
  ["postgresql://muster:hush-hush@a,b/muster", HOSTS],
  ["postgresql://muster:hush-hush@a/muster?host=a,b", HOSTS],
  [
    "postgresql://muster:hush-hush@/muster?host=/run/postgresql",
    /localhost\/muster\?host=\/var\/run\/postgresql for a socket/,
  ],
  [
    "postgresql://muster:hush-hush@a/muster?sslmode=verify-full&sslrootcert=/no/ca.crt",
    /DATABASE_URL has sslrootcert=\/no\/ca\.crt, a file that cannot be read \(ENOENT\)/,
  ],
] as const;

for (const [databaseUrl, says] of UNUSABLE_URLS) {
  verifies("operations.database.possible", `${databaseUrl} is rejected with what is possible`, async () => {
    const output = await refusedStart({ databaseUrl });
    expect(output).toMatch(says);
    expect(output).not.toContain("hush-hush");
  });
}

verifies("operations.database.possible", "a socket in a folder is possible", async () => {
  const url = new URL(database.url);
  const folderOfSocket = url.searchParams.get("host");
  if (folderOfSocket === null) return;
  const bySocket = `postgresql://${url.username}@localhost${url.pathname}?host=${encodeURIComponent(folderOfSocket)}`;
  await (await startService({ databaseUrl: bySocket })).stop();
});

verifies(
  "operations.config.public-url",
  "a PUBLIC_URL with a path is rejected, because nothing is served below one",
  async () => {
    for (const PUBLIC_URL of ["https://example.org/muster", "https://example.org/?a=b"]) {
      expect(await refusedStart({ databaseUrl: database.url, env: { PUBLIC_URL } })).toMatch(
        /PUBLIC_URL must be a URL without a path, such as https:.*at the root of their host/,
      );
    }
  },
);

verifies(
  ["operations.config.checked-at-start", "operations.config.no-secret-shown"],
  "settings of the wrong form end the start with their names and what is allowed, without secrets",
  async () => {
    const secrets = { MUSTER_INIT_API_KEY: "hush-hush-not-a-key", ENCRYPTION_KEY: "aHVzaC1odXNo" };
    const { MUSTER_INIT_API_KEY } = secrets;
    const env = {
      PORT: "many",
      PUBLIC_URL: "localhost:4400",
      LOG_LEVEL: "loud",
      DATABASE_POOL: "1",
      MUSTER_INIT_API_KEY,
      MUSTER_INIT_A2A_KEY: `mst_a2a_${"x".repeat(49)}`,
    };
    const output = await refusedStart({ databaseUrl: database.url, env });
    expect(output).toMatch(
      /ConfigError: .*PORT must be a number.*PUBLIC_URL must be a URL such as https:.*LOG_LEVEL must be one of .*trace.*DATABASE_POOL must be at least 2.*MUSTER_INIT_API_KEY: begins with mst_.*MUSTER_INIT_A2A_KEY has a wrong checksum/s,
    );
    const short = await refusedStart({ databaseUrl: database.url, env: { ENCRYPTION_KEY: secrets.ENCRYPTION_KEY } });
    expect(short).toMatch(/ENCRYPTION_KEY must hold 32 bytes/);
    for (const secret of Object.values(secrets)) expect(output + short).not.toContain(secret);
  },
);

verifies(
  ["operations.config.files", "operations.config.no-secret-shown"],
  "a secret is read from the file that its _FILE names; a wrong file ends the start with the reason",
  async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    const write = async (name: string, text: string, mode = 0o444) => {
      const path = join(folder, name);
      await writeFile(path, text);
      await chmod(path, mode);
      return path;
    };
    const key = Buffer.alloc(32, 5).toString("base64");
    const right = await write("key", `${key}\n`);
    const env = { ENCRYPTION_KEY: "", ENCRYPTION_KEY_FILE: right };
    await (await startService({ databaseUrl: own.url, env })).stop();
    await (await startService({ databaseUrl: own.url, env: { ENCRYPTION_KEY: key } })).stop();

    const wrong = [
      [
        { ENCRYPTION_KEY_FILE: join(folder, "none") },
        /ENCRYPTION_KEY_FILE is \S*none, which cannot be read \(ENOENT\)/,
      ],
      [{ ENCRYPTION_KEY_FILE: await write("blank", "\n") }, /is \S*blank, which is empty/],
      [{ ENCRYPTION_KEY_FILE: await write("open", key, 0o666) }, /is \S*open, which others may write: chmod go-w/],
      [{ ENCRYPTION_KEY_FILE: await write("large", "x".repeat(70_000)) }, /is \S*large, which is larger than 64 KiB/],
      [{ ENCRYPTION_KEY_FILE: right, ENCRYPTION_KEY: key }, /is set as well as ENCRYPTION_KEY: set one of them/],
    ] as const;
    for (const [files, says] of wrong) {
      const output = await refusedStart({ databaseUrl: own.url, env: { ENCRYPTION_KEY: "", ...files } });
      expect(output).toMatch(says);
      expect(output).not.toContain(key);
    }
  },
);

verifies(
  "operations.config.misspelt",
  "a misspelt setting or an unknown MUSTER_ ends the start with the one that was probably meant",
  async () => {
    const env = {
      NEW_ENCRYPTON_KEY: "hush",
      S3_SECRET_ACCES_KEY_FILE: "a",
      MUSTER_DATABASE_URL: "hush",
      MUSTER_PORT: "4401",
      MUSTER_INIT_MAIL: "hush",
      MUSTER_LICENCE: "hush",
      OTHER: "b",
    };
    const output = await refusedStart({ databaseUrl: database.url, env });
    expect(output).toContain("NEW_ENCRYPTON_KEY is no setting; did you mean NEW_ENCRYPTION_KEY?");
    expect(output).toContain("S3_SECRET_ACCES_KEY_FILE is no setting; did you mean S3_SECRET_ACCESS_KEY_FILE?");
    expect(output).toContain("MUSTER_DATABASE_URL is no setting; did you mean DATABASE_URL?");
    expect(output).toContain("MUSTER_PORT is no setting; did you mean PORT?");
    expect(output).toContain("MUSTER_INIT_MAIL is no setting; did you mean MUSTER_INIT_EMAIL?");
    expect(output).toMatch(/MUSTER_LICENCE is no setting$/m);
    expect(output).not.toMatch(/hush|OTHER/);
    const examined = await runMuster(["doctor"], { env: { MUSTER_DATA: folder, DATABASE_URI: database.url } });
    expect(examined.stdout).toContain("DATABASE_URI is no setting; did you mean DATABASE_URL?");
    // What belongs to other programs is left alone, and so is a misspelling beside the right name.
    const others = {
      LOGS_LEVEL: "x",
      LOG_LEVEL: "warn",
      SERVER_API_KEY: "x",
      SERPER_API_KEY: "",
      MUSTER_PORT: "tcp://10.0.0.1:4400",
      MUSTER_SERVICE_HOST: "10.0.0.1",
      MUSTER_SERVICE_PORT_HTTP: "4400",
      MUSTER_DB_PORT_5432_TCP_ADDR: "10.0.0.2",
      MUSTER_URL: "http://127.0.0.1:4400",
      MUSTER_API_KEY: "mst_…",
      DATABASE_HOST: "db",
    };
    await (await startService({ databaseUrl: database.url, env: others })).stop();
  },
);

/** What a start writes that is rejected. @throws Error when it is not. */
async function refusedStart(options: StartOptions): Promise<string> {
  let service: TestService;
  try {
    service = await startService(options);
  } catch (error) {
    return String(error);
  }
  await service.stop();
  throw new Error("The service started though it should not.");
}
