import { existsSync, readFileSync } from "node:fs";

const LIMITS = "/proc/self/limits";
/** Below it, PostgreSQL does not start, and a few connections use everything up. */
const MIN_FILES = 256;
const MIB = 1024 ** 2;
const MIN_MEMORY_MIB = 512;

/** The machine, or the container, gives this process less than it needs; the message says what to raise. */
export class MachineLimitError extends Error {
  override readonly name = "MachineLimitError";
}

/** Checks how many files this process may open. @throws MachineLimitError when they are too few */
export function requireFiles(): void {
  if (!existsSync(LIMITS)) return;
  const [, most] = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS, "utf8")) ?? [];
  if (most === undefined || Number(most) >= MIN_FILES) return;
  throw new MachineLimitError(
    `This process may open ${most} files (ulimit -n), and Muster needs ${MIN_FILES}, better 4096. ` +
      "Raise the limit: ulimit -n 4096 in the shell, LimitNOFILE=4096 in a unit of systemd, --ulimit nofile=4096 of a container.",
  );
}

/**
 * A warning when the memory of this process is limited to less than it needs.
 * @param bytes the limit; 0 or undefined for none
 */
export function memoryWarning(bytes: number | undefined = process.constrainedMemory()): string | undefined {
  if (bytes === undefined || bytes === 0 || bytes >= MIN_MEMORY_MIB * MIB) return undefined;
  return (
    `This process may use ${Math.floor(bytes / MIB)} MiB of memory, and Muster needs ${MIN_MEMORY_MIB} MiB. ` +
    "With less, the system ends it under load without a message: raise the memory limit of the container or unit."
  );
}
