import type { Requirements } from "./requirement.ts";

/** What hostile input and careless callers cannot do. */
export const hardening = {
  "hardening.bodies.bounded": {
    states: "A free-form field is at most 64 KB of JSON and a body holds at most 100,000 values; more is 400.",
    source: "goal",
  },
  "hardening.schemas.isolated": {
    states: "JSON Schemas of a workspace are checked off the main thread, by turns and within a budget of CPU time.",
    source: "decision",
  },
  "hardening.extraction.isolated": {
    states: "Documents are read by a process that may read its own program only, without network or root's rights.",
    source: "decision",
  },
  "hardening.bodies.aborted": {
    states: "A request that ends before its body is complete is no error of the service, and no line of its log.",
    source: "goal",
  },
  "hardening.headers": {
    states: "Every answer forbids guessing its type, and one with data forbids storing it.",
    source: "goal",
  },
  "hardening.openapi.cached": {
    states: "The OpenAPI document has an ETag, and is not sent to a client that has it.",
    source: "goal",
  },
  "hardening.links.host": {
    states: "Without PUBLIC_URL no link follows a Host header that names another machine.",
    source: "goal",
  },
  "hardening.hooks.private": {
    states: "A webhook subscription or an output route to a private or metadata host is 400 when it is made.",
    source: "goal",
  },
  "hardening.keys.rotate-scopes": {
    states: "Rotating a key that has a scope which the caller lacks is 403.",
    source: "goal",
  },
  "hardening.workspaces.closed": {
    states: "While sign-ups are closed, only an owner of the first workspace makes workspaces; others get 403.",
    source: "goal",
  },
  "hardening.console.rate-limit": {
    states: "Requests of the console API count against the plan of the workspace, like those of the envelope API.",
    source: "goal",
  },
  "hardening.mcp.rate-limit": {
    states: "Calls of tools over MCP count against the plan of the workspace.",
    source: "goal",
  },
  "hardening.schedules.interval": {
    states: "A schedule that comes more often than once a minute is 400, unless SCHEDULE_MIN_SECONDS allows it.",
    source: "goal",
  },
  "hardening.secrets.moved": {
    states: "A stored secret that cannot be decrypted, such as one of another row, is 409 and says what to do.",
    source: "goal",
  },
  "hardening.streams.end-with-credential": {
    states:
      "Streams of every surface end within a second when their key is revoked or expires, or its member is removed.",
    source: "decision",
  },
  "hardening.fuzz.no-fault": {
    states: "No random request is answered with 5xx or ends the service.",
    source: "goal",
  },
  "hardening.fuzz.no-foreign-rows": {
    states: "No random request shows another workspace's rows.",
    source: "goal",
  },
} as const satisfies Requirements<"hardening">;
