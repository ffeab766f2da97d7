import { memoryWarning } from "../../machine-limits.ts";
import { ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

/** Whether a process may use enough memory. */
export const memory: Check = {
  name: "memory",
  of: "machine",
  run() {
    const found = memoryWarning();
    return found === undefined ? ok("A process may use enough memory.") : warning(found, "See docs/deploy.md.");
  },
};
