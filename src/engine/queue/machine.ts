import { readFileSync, readlinkSync } from "node:fs";

/**
 * The boot of this machine and the PID namespace of this process: a process id means the same only where both are
 * equal. Host names do not say it: cloned machines share theirs, and containers in the host's network share the host's.
 * Empty on systems without /proc, where the host name has to be enough.
 */
export const MACHINE = readMachine();

function readMachine(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "";
  }
}
