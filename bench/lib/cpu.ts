import { readFileSync, readdirSync } from "node:fs";

/** The kernel counts CPU time in these per second (USER_HZ, fixed at 100 on Linux). */
const TICKS_PER_SECOND = 100;

/** CPU time of a process and of its children that have ended, in milliseconds. */
function ownCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
  return (ticks * 1_000) / TICKS_PER_SECOND;
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

/** CPU time of a process with all its children, in milliseconds. */
export function treeCpuMs(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + cpuMsIfAlive(child), ownCpuMs(pid));
}

/** A child may end at any moment; then its time is in that of its parent. */
function cpuMsIfAlive(pid: number): number {
  try {
    return ownCpuMs(pid);
  } catch {
    return 0;
  }
}

/** CPU time of a service and of its database, in milliseconds. */
export function stageCpuMs({ servicePid, postgresPid }: { readonly servicePid: number; readonly postgresPid: number }) {
  return { service: treeCpuMs(servicePid), database: treeCpuMs(postgresPid) };
}

/** Memory of a process that is in RAM, in MiB. */
export function residentMib(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1_024;
}
