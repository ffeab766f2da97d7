import type { Requirements } from "./requirement.ts";

/** Request limits by plan. */
export const limits = {
  "limits.per-minute.free": {
    states: "A workspace on the Free plan has 30 requests a minute.",
    source: "contract",
  },
  "limits.per-minute.pro": {
    states: "A workspace on the Pro plan has 120 requests a minute.",
    source: "contract",
  },
  "limits.per-minute.team": {
    states: "A workspace on the Team plan has 300 requests a minute.",
    source: "contract",
  },
  "limits.per-minute.enterprise": {
    states: "A workspace on the Enterprise plan has 600 requests a minute.",
    source: "contract",
  },
  "limits.headers.present": {
    states: "Every answer of the envelope API has X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.",
    source: "contract",
  },
  "limits.headers.on-errors": {
    states: "Error answers have the rate headers too, save for a 401 before the workspace is known.",
    source: "decision",
  },
  "limits.headers.reset-unix-seconds": {
    states: "X-RateLimit-Reset is a time in Unix seconds.",
    source: "contract",
  },
  "limits.per-workspace": {
    states: "All keys of a workspace share one count, and no other workspace shares it.",
    source: "decision",
  },
  "limits.window": { states: "The window is one minute.", source: "decision" },
  "limits.across-processes": {
    states: "Several processes count together.",
    source: "decision",
  },
  "limits.never-fails-open": {
    states: "When the count cannot be kept, requests are rejected rather than let through.",
    source: "decision",
  },
  "limits.table.per-minute": {
    states: "A table key has 500 requests a minute.",
    source: "contract",
  },
  "limits.table.per-month": {
    states: "A table key has 50,000 requests a month.",
    source: "contract",
  },
  "limits.table.workspace": {
    states: "All keys of a workspace together have four keys' worth of requests at the table API.",
    source: "decision",
  },
  "limits.table.rows": {
    states: "The rows of a batch at the table API count against the workspace's plan.",
    source: "decision",
  },
  "limits.quota.records": {
    states:
      "A workspace keeps as many records as its plan allows: one more is 403 quota_exceeded on every surface, and a deleted one gives its room back.",
    source: "decision",
  },
  "limits.quota.stored-bytes": {
    states: "Files and documents count by their size; what exceeds the plan is 403 quota_exceeded.",
    source: "decision",
  },
  "limits.quota.schedules": {
    states:
      "A workspace has as many schedules as its plan allows; a schedule that finds no room for its task logs `quota` and continues.",
    source: "decision",
  },
  "limits.quota.runs-finish": {
    states: "What a run gives out is stored although the quota is used up, and counted.",
    source: "decision",
  },
  "limits.quota.exact": {
    states: "Concurrent writes and deletions of several processes are all counted.",
    source: "decision",
  },
  "limits.quota.shown": {
    states: "GET /console/api/workspace and `muster limits` show what is used and what the plan allows.",
    source: "decision",
  },
  "limits.quota.workspaces-per-person": {
    states: "A person owns at most WORKSPACES_PER_PERSON workspaces; one more is 403 quota_exceeded.",
    source: "decision",
  },
  "limits.table.429": {
    states: "Both limits of the table API answer 429 with Retry-After.",
    source: "decision",
  },
  "limits.blocks.nearly-all": {
    states: "30 processes let at least 98 % of a limit through, however requests fall on them, and never more than it.",
    source: "goal",
  },
} as const satisfies Requirements<"limits">;
