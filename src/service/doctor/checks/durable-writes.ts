import { failed, ok, warning } from "../define-check.ts";
import type { ServerCheck } from "../define-check.ts";

/** Whether what the database has confirmed survives a crash of its machine. */
export const durableWrites: ServerCheck = {
  name: "fsync",
  of: "server",
  run({ fsync, fullPageWrites, synchronousCommit }) {
    const off = [...(fsync === "off" ? ["fsync"] : []), ...(fullPageWrites === "off" ? ["full_page_writes"] : [])];
    if (off.length > 0) {
      return failed(
        `A power failure can destroy the database: ${off.join(" and ")} is off.`,
        `Set ${off.join(" and ")} to on in postgresql.conf, and reload.`,
      );
    }
    if (synchronousCommit === "off") {
      const text = "A crash of the database loses the last confirmed writes: synchronous_commit is off.";
      return warning(text, "Set synchronous_commit to on, or steps may run twice after a crash.");
    }
    return ok("Confirmed writes survive a power failure.");
  },
};
