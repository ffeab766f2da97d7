import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, inject } from "vitest";
import { z } from "zod";
import { eventually } from "../support/eventually.ts";
import { inDatabase } from "../support/database.ts";
import { NODE_ENVIRONMENT } from "../support/hosts/node-environment.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

const MUSTER = join(import.meta.dirname, "../../src/cli/main.ts");
const FAULTS = Number(process.env["PROVE_FAULTS"] ?? 20);
const LIMIT_MS = 900_000;

const proof = z.looseObject({
  faults: z.record(z.string(), z.int()),
  claims: z.array(z.object({ name: z.string(), checked: z.int(), broken: z.array(z.string()) })),
  resume: z.object({ count: z.int(), max: z.number() }),
});

verifies(
  ["engine.prove"],
  `muster prove finds nothing lost, doubled or paid twice after ${FAULTS} faults`,
  async () => {
    const { code, output, errors } = await prove("--faults", String(FAULTS));
    expect(
      output.claims.filter(({ broken }) => broken.length > 0),
      errors,
    ).toEqual([]);
    expect(output.claims.filter(({ checked }) => checked === 0)).toEqual([]);
    expect(sum(Object.values(output.faults))).toBeGreaterThanOrEqual(FAULTS);
    expect(code).toBe(0);
  },
  LIMIT_MS,
);

verifies(
  ["engine.prove.finds"],
  "muster prove finds the deliveries that a broken database loses, and exits with 1",
  async () => {
    const server = inject("serverUrl");
    const before = await proofDatabases(server);
    const running = prove("--faults", "3", "--database", server);
    const name = await eventually("the proof has a database", async () =>
      (await proofDatabases(server)).find((each) => !before.includes(each)),
    );
    await eventually("its deliveries are lost from now on", () => loseDeliveries(inDatabase(server, name)), LIMIT_MS);
    const { code, output } = await running;
    expect(output.claims.filter(({ broken }) => broken.length > 0).map((claim) => claim.name)).toEqual([
      "deliveries lost",
    ]);
    expect(code).toBe(1);
    expect(await proofDatabases(server)).toEqual(before);
  },
  LIMIT_MS,
);

verifies(
  ["engine.prove.stops"],
  "muster prove leaves neither its database nor a process behind when it is stopped",
  async () => {
    const server = inject("serverUrl");
    const before = await proofDatabases(server);
    const { child, ended } = startProof("--database", server);
    await eventually("it is at work", async () => (await proofDatabases(server)).length > before.length);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, stdout: "" });
    expect(await proofDatabases(server)).toEqual(before);
  },
  LIMIT_MS,
);

async function prove(...args: readonly string[]) {
  const { code, stdout, stderr } = await startProof(...args).ended;
  return { code, errors: stderr, output: proof.parse(JSON.parse(stdout)) };
}

function startProof(...args: readonly string[]) {
  const child = spawn(process.execPath, [MUSTER, "prove", "--json", ...args], { env: NODE_ENVIRONMENT });
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const ended = Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { child, ended: ended.then(([code, stdout, stderr]) => ({ code, stdout, stderr })) };
}

async function proofDatabases(server: string): Promise<readonly string[]> {
  const rows = await sql<{ name: string }>(
    server,
    "select datname as name from pg_database where datname like 'muster\\_prove\\_%' order by 1",
  );
  return rows.map(({ name }) => name);
}

/** False while the database has no schema yet. */
async function loseDeliveries(database: string): Promise<boolean> {
  const [found] = await sql<{ jobs: string | null }>(database, "select to_regclass('jobs')::text as jobs");
  if (found?.jobs == null) return false;
  await sql(
    database,
    `create function lose() returns trigger language plpgsql as 'begin return null; end';
     create trigger lose before insert on jobs for each row when (new.kind = 'delivery') execute function lose()`,
  );
  return true;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
