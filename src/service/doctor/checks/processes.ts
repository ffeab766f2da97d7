import { isHeldCopy } from "#db/queries/access/hold.ts";
import { readProcesses } from "#db/queries/doctor/work.ts";
import { ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";
import { someOf } from "../some-of.ts";

/** Leases that a process is silent for before it is worth a word: the others recover its jobs after one. */
const LEASES = 3;
const MS_PER_SECOND = 1_000;

/** Whether all registered processes show signs of life. */
export const processes: Check = {
  name: "processes",
  of: "database",
  async run({ db, config: { LEASE_MS } }) {
    if (await isHeldCopy(db)) {
      return warning("This restored copy is held: it serves reads only.", "Let it act: muster restore --release.");
    }
    const all = await readProcesses(db);
    if (all.length === 0) return warning("No process runs jobs.", "Start the service.");
    const silent = all.filter(({ silentSeconds }) => silentSeconds * MS_PER_SECOND > LEASE_MS * LEASES);
    if (silent.length === 0)
      return ok(all.length === 1 ? "One process runs jobs." : `${all.length} processes run jobs.`);
    return warning(
      `Processes are silent: ${someOf(silent.map(({ name }) => name))}.`,
      "Look at their logs, and start one: another process recovers their jobs.",
    );
  },
};
