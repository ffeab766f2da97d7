import { formatSize } from "#lib/text/format-size.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { formatTokens } from "../terminal/format.ts";

/** `muster limits` */
export default defineRequest({
  summary: "Show what your workspace uses of its plan's quotas",
  args: {},
  send: ({ muster }) => muster.getWorkspace(),
  print({ out }, { plan, quotas: { records, stored_bytes, schedules, alerts } }) {
    const rows = [
      rowOf("records", records, formatTokens),
      rowOf("files and documents", stored_bytes, formatSize),
      rowOf("schedules", schedules, formatTokens),
      rowOf("alerts", alerts, formatTokens),
    ];
    out.table([`PLAN ${plan}`, "USED", "LIMIT"], rows);
  },
});

interface Quota {
  readonly used: number;
  readonly limit: number | null;
}

function rowOf(name: string, { used, limit }: Quota, format: (amount: number) => string): string[] {
  return [name, format(used), limit === null ? "none" : format(limit)];
}
