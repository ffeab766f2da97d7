import { fork, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { canEnter } from "../../src/db/embedded/folder-trust.ts";
import { verifies } from "../support/verifies.ts";

const repository = dirname(dirname(import.meta.dirname));
const childProgram = "test/support/database/embedded-postgres-process.ts";
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
/** With it, a user without a name gets one. */
const hasNssWrapper = globSync("/usr/lib/*-linux-gnu/libnss_wrapper.so").length > 0;
const isOpenToNobody = canEnter({ name: "nobody", uid: nobody, gid: nobody, differs: true }, dirname(process.execPath));

const reportSchema = z.object({
  url: z.string().default(""),
  dataDirectory: z.string().default(""),
  notice: z.string().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
});

interface Service extends z.infer<typeof reportSchema> {
  readonly process: ChildProcess;
}

interface StartOptions {
  readonly uid?: number;
  readonly checkout?: string;
}

let folders: string;
const services: Service[] = [];

beforeAll(() => {
  folders = mkdtempSync("/tmp/muster-embedded-test-");
  chmodSync(folders, 0o777);
});

afterEach(async () => {
  for (const service of services.splice(0)) await stop(service);
});

afterAll(() => rmSync(folders, { recursive: true, force: true }));

async function start(dataFolder: string, { uid, checkout = repository }: StartOptions = {}): Promise<Service> {
  const identity = uid === undefined ? {} : { uid, gid: uid };
  const child = fork(join(checkout, childProgram), [dataFolder], { ...identity, cwd: "/", execArgv: [] });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  child.once("message", resolve);
  child.once("exit", () => reject(new Error("the process ended without a report")));
  const service = { process: child, ...reportSchema.parse(await promise) };
  services.push(service);
  return service;
}

async function stop({ process: child }: Service): Promise<void> {
  // A child that a test has just killed can no longer take the message: its end is all that is waited for.
  child.send("stop", () => undefined);
  await ended(child);
}

async function kill({ process: child }: Service): Promise<void> {
  child.kill("SIGKILL");
  await ended(child);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once("exit", resolve));
}

async function query(url: string, text: string): Promise<readonly unknown[][]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

function postmasterPid({ dataDirectory }: Service): number {
  return Number.parseInt(readFileSync(join(dataDirectory, "postmaster.pid"), "utf8"), 10);
}

/** Everything in the home of the cluster but the socket. */
function clusterFolders(dataFolder: string): string[] {
  return readdirSync(join(dataFolder, "postgres")).filter((name) => !name.startsWith(".s."));
}

const isServerUp = ({ dataDirectory }: Service): boolean => existsSync(join(dataDirectory, "postmaster.pid"));

describe("one data folder", () => {
  const folder = (): string => join(folders, "shared");

  it("is created by the first start, as UTF-8, on a socket only, with durable commits", async () => {
    const { url } = await start(folder());
    const settings = `select current_setting('server_encoding'), current_setting('listen_addresses'), current_setting('fsync')`;
    expect(await query(url, settings)).toEqual([["UTF8", "", "on"]]);
    expect(await query(url, "select current_database(), upper($$ärger$$)")).toEqual([["muster", "ÄRGER"]]);
  });

  verifies("start.embedded.major-pinned", "records its major version, and is rejected by another one", async () => {
    const record = join(folder(), "database.json");
    const content = readFileSync(record, "utf8");
    expect(JSON.parse(content)).toMatchObject({ engine: "postgresql 18" });
    writeFileSync(record, content.replace("postgresql 18", "postgresql 17"));
    const refused = await start(folder());
    writeFileSync(record, content);
    expect(refused.code).toBe("NO_LOCAL_PG");
    expect(refused.message).toMatch(/created by PostgreSQL 17.*has PostgreSQL 18.*DATABASE_URL/s);
  });

  verifies(
    "start.embedded.second-process",
    "is served by one server to two processes, until the last of them stops",
    async () => {
      const [first, second] = [await start(folder()), await start(folder())];
      const pid = postmasterPid(first);
      expect(postmasterPid(second)).toBe(pid);
      await stop(first);
      expect(await query(second.url, "select 1")).toEqual([[1]]);
      expect(postmasterPid(second)).toBe(pid);
      await stop(second);
      expect(isServerUp(second)).toBe(false);
    },
  );

  verifies(
    "start.embedded.survives-kill",
    "keeps its server when the process is killed, and the next process attaches to it",
    async () => {
      const first = await start(folder());
      await query(first.url, "create table kept as select 1 as n");
      const pid = postmasterPid(first);
      await kill(first);
      const second = await start(folder());
      expect(postmasterPid(second)).toBe(pid);
      expect(await query(second.url, "select n from kept")).toEqual([[1]]);
    },
  );

  it("gets a new server at the same address when its server is killed and its log removed", async () => {
    const service = await start(folder());
    const pid = postmasterPid(service);
    rmSync(join(folder(), "postgres.log"));
    process.kill(pid, "SIGKILL");
    const rows = (): Promise<unknown> => query(service.url, "select n from kept").catch(String);
    await expect.poll(rows, { timeout: 20_000 }).toEqual([[1]]);
    expect(postmasterPid(service)).not.toBe(pid);
  });

  it("starts after a crash of process and server", async () => {
    const service = await start(folder());
    await kill(service);
    process.kill(postmasterPid(service), "SIGKILL");
    const next = await start(folder());
    expect(await query(next.url, "select n from kept")).toEqual([[1]]);
  });

  it("starts when postmaster.pid has the process id of another program", async () => {
    const service = await start(folder());
    const file = join(service.dataDirectory, "postmaster.pid");
    const content = readFileSync(file, "utf8").replace(/^\d+/, String(process.pid));
    await stop(service);
    writeFileSync(file, content);
    const next = await start(folder());
    expect(await query(next.url, "select n from kept")).toEqual([[1]]);
  });
});

describe("starting", () => {
  it("creates one cluster and one server when two processes start at the same instant", async () => {
    const folder = join(folders, "twins");
    const [first, second] = await Promise.all([start(folder), start(folder)]);
    const startTime = "select pg_postmaster_start_time()::text";
    expect(await query(first.url, startTime)).toEqual(await query(second.url, startTime));
    expect(clusterFolders(folder)).toEqual(["data"]);
  });

  it("leaves no incomplete cluster when it is killed", async () => {
    const folder = join(folders, "interrupted");
    const child = fork(join(repository, childProgram), [folder], { execArgv: [] });
    await expect.poll(() => existsSync(join(folder, "postgres")), { interval: 5, timeout: 10_000 }).toBe(true);
    child.kill("SIGKILL");
    await ended(child);
    expect(existsSync(join(folder, "postgres", "data"))).toBe(false);
    const { url } = await start(folder);
    expect(await query(url, "select 1")).toEqual([[1]]);
    expect(clusterFolders(folder)).toEqual(["data"]);
  });

  it("works where the path is too long for a socket, at an address that stays", async () => {
    const folder = join(folders, "long".repeat(30));
    const first = await start(folder);
    expect(await query(first.url, "select 1")).toEqual([[1]]);
    const host = (service: Service): string | null => new URL(service.url).searchParams.get("host");
    await stop(first);
    const second = await start(folder);
    expect(host(second)).toBe(host(first));
    await stop(second);
    rmSync(host(second) ?? "", { recursive: true });
  });

  it.runIf(isRoot && isOpenToNobody)(
    "works for a user without privileges",
    { meta: { verifies: ["start.embedded.not-root"] } },
    async () => {
      const { url } = await start(join(folders, "of-nobody"), { uid: nobody });
      expect(await query(url, "select 1")).toEqual([[1]]);
    },
  );

  it.runIf(isRoot && isOpenToNobody && !hasNssWrapper)(
    "states what to do for a user that the system does not know",
    { meta: { verifies: ["start.embedded.not-runnable"] } },
    async () => {
      const { code, message } = await start(join(folders, "of-unknown"), { uid: 54_321 });
      expect(code).toBe("NO_LOCAL_PG");
      expect(message).toMatch(/54321.*DATABASE_URL/s);
    },
  );

  it.runIf(isRoot)(
    "moves the database of root to the state folder when checkout and data folder are private",
    { meta: { verifies: ["start.embedded.as-root", "start.embedded.private-home"] } },
    async () => {
      const checkout = copyCheckout(join(folders, "private"));
      const folder = join(checkout, ".muster");
      const service = await start(folder, { checkout });
      const base = dirname(dirname(service.dataDirectory));
      try {
        expect(base).toMatch(/^\/var\/lib\/muster\/muster-[0-9a-f]{12}$/);
        expect(service.notice).toContain(`The database is in ${base}`);
        expect(await query(service.url, "select 1")).toEqual([[1]]);
        await stop(service);
        expect((await start(folder, { checkout })).dataDirectory).toBe(service.dataDirectory);
      } finally {
        for (const running of services.splice(0)) await stop(running);
        rmSync(base, { recursive: true, force: true });
      }
    },
  );
});

/** What the embedded server needs of this checkout, in a folder that root alone may enter. */
function copyCheckout(to: string): string {
  mkdirSync(to, { mode: 0o700 });
  const packages = readdirSync(join(repository, "node_modules")).filter((name) =>
    /^(pg|postgres-|split2|xtend|zod|@embedded)/.test(name),
  );
  const parts = [
    "package.json",
    "src/db/embedded",
    "src/db/rows-on-client.ts",
    "src/lib/create-folder.ts",
    "src/lib/error-code.ts",
    "src/db/statement.ts",
    childProgram,
    ...packages.map((name) => `node_modules/${name}`),
  ];
  for (const part of parts) cpSync(join(repository, part), join(to, part), { recursive: true, verbatimSymlinks: true });
  return to;
}
