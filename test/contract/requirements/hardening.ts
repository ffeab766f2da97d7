import type { Requirements } from "./requirement.ts";

/** What hostile input and careless callers cannot do. */
export const hardening = {
  "hardening.bodies.bounded": {
    states:
      "A free-form field has at most 64 KB of JSON and a body at most 50,000 values (a message of A2A or MCP 25,000, and a body with integers of 16 digits); more is 400.",
    source: "goal",
  },
  "hardening.bodies.counted": {
    states:
      "The values of a body and the parts of a form are counted before it is parsed, and lists are checked up to their longest length.",
    source: "goal",
  },
  "hardening.bodies.cost": {
    states: "The most expensive body of any request costs about 50 ms of the main thread and 64 MiB at most.",
    source: "goal",
  },
  "hardening.errors.bounded": {
    states: "The error of an invalid request lists 100 issues at most and counts the others.",
    source: "goal",
  },
  "hardening.schemas.isolated": {
    states:
      "JSON Schemas of a workspace are checked off the main thread, alternating with those of others and within a budget of CPU time.",
    source: "decision",
  },
  "hardening.extraction.isolated": {
    states: "A process that reads documents can read its own program only, without network or root privileges.",
    source: "decision",
  },
  "hardening.security-txt": {
    states: "SECURITY_CONTACT is published at /.well-known/security.txt as RFC 9116 has it; without it there is none.",
    source: "goal",
  },
  "hardening.workers.environment": {
    states: "Threads that read foreign data, such as the page of read_url, get nothing of the environment.",
    source: "goal",
  },
  "hardening.bodies.aborted": {
    states: "A request that ends before its body is complete is not an error of the service and writes no log line.",
    source: "goal",
  },
  "hardening.headers": {
    states: "Every response forbids content sniffing, and one with data forbids caching.",
    source: "goal",
  },
  "hardening.openapi.cached": {
    states: "The OpenAPI document has an ETag and is not sent to a client that already has it.",
    source: "goal",
  },
  "hardening.links.host": {
    states: "Without PUBLIC_URL no link uses a Host header of another machine.",
    source: "goal",
  },
  "hardening.hooks.private": {
    states: "Creating a webhook subscription or an output route to a private or metadata host is 400.",
    source: "goal",
  },
  "hardening.keys.rotate-scopes": {
    states: "Rotating a key with a scope that the caller lacks is 403.",
    source: "goal",
  },
  "hardening.workspaces.closed": {
    states: "While sign-up is closed, only an owner of the first workspace creates workspaces; other users get 403.",
    source: "goal",
  },
  "hardening.console.rate-limit": {
    states: "Requests of the console API count against the workspace's plan, like those of the envelope API.",
    source: "goal",
  },
  "hardening.mcp.rate-limit": {
    states:
      "Requests and tool calls over MCP count among what the workspace's plan allows a minute outside the envelope API; more are 429.",
    source: "goal",
  },
  "hardening.schedules.interval": {
    states: "A schedule that fires more often than once a minute is 400, unless SCHEDULE_MIN_SECONDS allows it.",
    source: "goal",
  },
  "hardening.secrets.moved": {
    states:
      "A stored secret that cannot be decrypted, such as one of another row, is 409; the error states how to fix it.",
    source: "goal",
  },
  "hardening.streams.end-with-credential": {
    states:
      "Streams of every surface end within a second when their key is revoked or expires, or its member is removed.",
    source: "decision",
  },
  "hardening.fuzz.no-fault": {
    states: "No random request gets a 5xx response or ends the service.",
    source: "goal",
  },
  "hardening.fuzz.no-foreign-rows": {
    states: "No random request returns another workspace's rows.",
    source: "goal",
  },
  "hardening.names.roles": { states: "The name of a person is not the name of a role.", source: "goal" },
  "hardening.names.unseen": {
    states: "Names and titles lose controls of the writing direction and characters without width.",
    source: "goal",
  },
} as const satisfies Requirements<"hardening">;
