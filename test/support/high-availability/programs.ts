import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const VERSIONS = "/usr/lib/postgresql";
const OLDEST_POSTGRES = 15;
const HAPROXY = "/usr/sbin/haproxy";
const PGBOUNCER = "/usr/sbin/pgbouncer";
const OPENSSL = "/usr/bin/openssl";
const PACKAGES = ["postgresql", "haproxy", "pgbouncer", "openssl"] as const;

/** The programs of a highly available database, where Debian's packages put them. */
export interface Programs {
  /** The folder of `postgres`, `initdb` and `pg_basebackup`. */
  readonly postgres: string;
  readonly haproxy: string;
  readonly pgbouncer: string;
  readonly openssl: string;
}

/** Finds the programs, after an attempt to install their packages if one is missing; undefined when that fails. */
export function findPrograms(): Programs | undefined {
  return installed() ?? (install() ? installed() : undefined);
}

function installed(): Programs | undefined {
  const postgres = newestPostgres();
  if (postgres === undefined || ![HAPROXY, PGBOUNCER, OPENSSL].every((program) => existsSync(program)))
    return undefined;
  return { postgres, haproxy: HAPROXY, pgbouncer: PGBOUNCER, openssl: OPENSSL };
}

function newestPostgres(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : [];
  const [newest] = versions.filter((version) => version >= OLDEST_POSTGRES).toSorted((one, other) => other - one);
  const folder = join(VERSIONS, String(newest), "bin");
  return existsSync(join(folder, "initdb")) ? folder : undefined;
}

function install(): boolean {
  if (process.getuid?.() !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]) => spawnSync("apt-get", ["-q", ...args], { env, stdio: "ignore" }).status === 0;
  return apt("update") && apt("install", "-y", "--no-install-recommends", ...PACKAGES);
}
