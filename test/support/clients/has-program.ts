import { spawnSync } from "node:child_process";

/** Whether this machine has a program that a person would use, such as `curl`. Tests that need it are skipped without. */
export function hasProgram(name: string): boolean {
  return spawnSync("sh", ["-c", 'command -v "$1"', "sh", name]).status === 0;
}
