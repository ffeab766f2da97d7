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
    states: "Every response of the envelope API has X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.",
    source: "contract",
  },
  "limits.headers.on-errors": {
    states: "Error responses also have the rate headers, except for a 401 before the workspace is known.",
    source: "decision",
  },
  "limits.headers.reset-unix-seconds": {
    states: "X-RateLimit-Reset is a time in Unix seconds.",
    source: "contract",
  },
  "limits.per-workspace": {
    states: "All keys of a workspace share one count; each workspace has its own.",
    source: "decision",
  },
  "limits.protocols.every-request": {
    states: "Each request to A2A, MCP and AG-UI counts against the workspace, also one that only reads.",
    source: "goal",
  },
  "limits.shared.own-count": {
    states:
      "The envelope API has the plan's number to itself; rows, MCP, A2A, AG-UI, OpenAI, the console API, triggers and what people start share a second count of the same size.",
    source: "decision",
  },
  "limits.shared.people": {
    states: "What a signed-in person starts counts in the second count; reading and cancelling do not.",
    source: "decision",
  },
  "limits.shared.retries": {
    states: "A retry of failed runs counts each run that it restarts.",
    source: "decision",
  },
  "limits.window": { states: "The window is one minute.", source: "decision" },
  "limits.across-processes": {
    states: "Several processes share one count.",
    source: "decision",
  },
  "limits.never-fails-open": {
    states: "When the count is unavailable, requests are rejected.",
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
    states: "All keys of a workspace together are limited to four keys' requests at the table API.",
    source: "decision",
  },
  "limits.table.rows": {
    states: "Rows that the table API inserts or changes count among what the plan allows outside the envelope API.",
    source: "decision",
  },
  "limits.quota.records": {
    states:
      "A workspace has at most as many records as its plan allows: one more is 403 quota_exceeded on every surface, and a deletion frees its room.",
    source: "decision",
  },
  "limits.quota.stored-bytes": {
    states: "Files and documents count by their size; exceeding the plan is 403 quota_exceeded.",
    source: "decision",
  },
  "limits.quota.schedules": {
    states:
      "A workspace has at most as many schedules as its plan allows; a schedule without room for its task logs `quota` and continues.",
    source: "decision",
  },
  "limits.quota.runs-finish": {
    states: "The output of a run is stored and counted even when the quota is used up.",
    source: "decision",
  },
  "limits.quota.exact": {
    states: "Concurrent writes and deletions of several processes are counted exactly.",
    source: "decision",
  },
  "limits.quota.apart": {
    states: "A transaction that stores records waits for no other of its workspace; both are counted.",
    source: "goal",
  },
  "limits.quota.shown": {
    states: "GET /console/api/workspace and `muster limits` show usage and the plan's limits.",
    source: "decision",
  },
  "limits.quota.workspaces-per-person": {
    states: "A person owns at most WORKSPACES_PER_PERSON workspaces; one more is 403 quota_exceeded.",
    source: "decision",
  },
  "limits.table.429": {
    states: "Both limits of the table API return 429 with Retry-After.",
    source: "decision",
  },
  "limits.blocks.nearly-all": {
    states:
      "30 processes together allow at least 98 % of a limit, for any distribution of requests, and never more than the limit.",
    source: "goal",
  },
} as const satisfies Requirements<"limits">;
