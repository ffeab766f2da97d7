/**
 * Run by itself (`node bench/backups.ts [tasks]`): the CPU of a run, service and database together, while `muster backup`
 * copies a large database, against that without; rounds alternate. Then how fast the backup is restored.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { Client } from "pg";
import { stageCpuMs, treeCpuMs } from "./lib/cpu.ts";
import { openStage } from "./lib/stage.ts";
import { watchEnds } from "./lib/watch-ends.ts";

const TASKS = Number(process.argv[2] ?? 400_000);
const ROUNDS = 5;
const RUNS = 100;
const AT_ONCE = 16;
const MIB = 1_024 * 1_024;
const MUSTER = join(import.meta.dirname, "../src/cli/main.ts");
const ENDED = {
  name: "ended",
  text: "select id, completed_at::text as completed_at from tasks where assigned_agent_id = $1 and completed_at >= $2::timestamptz",
};

/** Texts that hardly shrink: hexadecimal digits as at random. */
const FILL = `
  insert into tasks (id, workspace_id, title, description, status, source_kind, created_at, completed_at)
  select ('01940000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, w.id, 'Invoice number ' || n,
    (select string_agg(md5((n * 1000 + m)::text), '') from generate_series(1, 30) m), 'completed', 'api', t.at, t.at
  from generate_series(1, $1::integer) n
  cross join (select id from workspaces limit 1) w
  cross join lateral (select timestamptz '2026-11-20' - n * interval '20 seconds' as at) t`;
const BACKENDS =
  "select pid from pg_stat_activity where application_name like 'muster:' || $1 || ':%' and query ilike 'copy%'";

const stage = await openStage();
const folder = await mkdtemp(join(tmpdir(), "muster-backups-"));
// As root, the server runs as another user, which needs access.
await chmod(folder, 0o755);
const data = dirname(new URL(stage.databaseUrl).searchParams.get("host") ?? "");
const client = new Client({ connectionString: stage.databaseUrl });
try {
  await client.connect();
  await client.query(FILL, [TASKS]);
  await client.query("vacuum analyze");
  const { id: agent } = await stage.call("POST", "/functions/v1/api-agents", { name: "Bench", model: "gpt-4o" });
  await measure(agent, []);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await measure(agent, []);
    const beside = await measureBeside(agent, join(folder, `${round}.backup`));
    ratios.push(beside / alone);
    console.log(`alone ${alone.toFixed(2)} ms a run, during a backup ${beside.toFixed(2)} ms`);
  }
  const shown = [0.5, 0.25, 0.75].map((of) => quantile(ratios, of).toFixed(2));
  console.log(`\nCPU of a run during a backup: ${shown[0]} × (middle half ${shown[1]}–${shown[2]})`);
  await measureRestore(join(folder, "0.backup"));
} finally {
  await client.end();
  await stage.close();
  await rm(folder, { recursive: true, force: true });
}

/** The CPU of a run while a backup is made, without that of the backup. */
async function measureBeside(agent: string, file: string): Promise<number> {
  const backup = muster(["backup", file], { DATABASE_URL: stage.databaseUrl, MUSTER_DATA: data });
  let backends: readonly number[] = [];
  while (backends.length === 0) {
    await sleep(100);
    const { rows } = await client.query<{ pid: number }>(BACKENDS, [String(backup.pid)]);
    backends = rows.map(({ pid }) => pid);
  }
  const perRun = await measure(agent, backends);
  if (backup.exitCode !== null) throw new Error("The backup ended before the runs: use more tasks.");
  await once(backup, "exit");
  return perRun;
}

async function measure(agent: string, without: readonly number[]): Promise<number> {
  const ended = await watchEnds(stage.databaseUrl, { ...ENDED, of: agent }, 20);
  const cpu = () => {
    const { service, database } = stageCpuMs(stage);
    return service + database - ended.cpuMs() - without.reduce((sum, pid) => sum + treeCpuMs(pid), 0);
  };
  const before = cpu();
  let left = RUNS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) {
        const body = { title: "Bench", description: `bench-b${left} 1x0`, assigned_agent_id: agent };
        await ended.wait((await stage.call("POST", "/functions/v1/api-tasks", body)).id);
      }
    }),
  );
  const spent = cpu() - before;
  await ended.close();
  return spent / RUNS;
}

async function measureRestore(file: string): Promise<void> {
  const target = join(folder, "restored");
  await mkdir(target, { mode: 0o711 });
  await copyFile(join(data, "encryption.key"), join(target, "encryption.key"));
  const mib = (await sizeOf(file)) / MIB;
  const begun = performance.now();
  await once(muster(["restore", file], { MUSTER_DATA: target }), "exit");
  const seconds = (performance.now() - begun) / 1_000;
  console.log(
    `restored ${mib.toFixed(0)} MiB in ${seconds.toFixed(0)} s: 1 GiB in ${((seconds / mib) * 1_024).toFixed(0)} s`,
  );
}

/** The bytes of a backup when it is unpacked. */
async function sizeOf(file: string): Promise<number> {
  let bytes = 0;
  for await (const chunk of createReadStream(file).pipe(createGunzip())) bytes += chunk.length;
  return bytes;
}

function muster(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const inherited = { PATH: process.env["PATH"], HOME: folder };
  return spawn(process.execPath, [MUSTER, ...args], { stdio: "inherit", env: { ...inherited, ...env } });
}

function quantile(values: readonly number[], of: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * of)] ?? 0;
}
