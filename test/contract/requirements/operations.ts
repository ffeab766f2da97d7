import type { Requirements } from "./requirement.ts";

/** Running the service: migrations, settings, shutdown, logs. */
export const operations = {
  "operations.version": { states: "GET /version tells the name and the version, without a key.", source: "goal" },
  "operations.reference-page": {
    states: "GET /docs is the API reference as a page, whose files the service serves itself.",
    source: "goal",
  },
  "operations.metrics": {
    states:
      "With OPS_PORT, metrics in Prometheus's format are served on it, on loopback unless OPS_HOST says otherwise.",
    source: "goal",
  },
  "operations.log": {
    states:
      "The log names levels, has times in ISO 8601, and at info a line for each migration, and each start and end of a job.",
    source: "goal",
  },
  "operations.migrations.once": {
    states: "Two processes that start at the same time on an empty database migrate it once.",
    source: "goal",
  },
  "operations.migrations.checksum": {
    states: "A migration that was changed after it had run is rejected at start.",
    source: "goal",
  },
  "operations.schema.dump": {
    states: "src/db/schema.sql shows the schema that a fresh database gets.",
    source: "goal",
  },
  "operations.schema.rows": {
    states:
      "src/db/rows.gen.ts says what rows each statement has in a fresh database; row types are checked against it.",
    source: "goal",
  },
  "operations.schema.routines": {
    states: "Functions, triggers and views whose files changed are replaced at the next start.",
    source: "goal",
  },
  "operations.migrations.newer-schema": {
    states: "A database of a newer version is rejected with a message that says so.",
    source: "goal",
  },
  "operations.ready.starting": {
    states: "Before the engine runs no request is answered other than with 503, and nothing is claimed.",
    source: "goal",
  },
  "operations.ready.reasons": {
    states: "GET /readyz answers 503 with reasons: starting, draining, database, schema, lease.",
    source: "goal",
  },
  "operations.ready.stop-while-starting": {
    states: "SIGTERM during the start stops cleanly.",
    source: "goal",
  },
  "operations.outage.disk-full": {
    states:
      "While the database's disk is full, requests that would store something get 503 storage_full with Retry-After.",
    source: "goal",
  },
  "operations.outage.unavailable": {
    states: "While the database is away or silent, requests are answered with 503 unavailable and Retry-After.",
    source: "goal",
  },
  "operations.database.named": {
    states: "A database that cannot be used ends the start with a sentence that names the setting, not the password.",
    source: "goal",
  },
  "operations.start.missing-grant": {
    states: "A role that may not prepare the database is named, with the grants that it needs.",
    source: "goal",
  },
  "operations.start.lost-connection": {
    states: "A database connection that breaks during the start ends it with a sentence.",
    source: "goal",
  },
  "operations.start.no-key-left": { states: "A rejected start leaves no new encryption.key.", source: "goal" },
  "operations.start.data-folder": {
    states: "A start that may not write to the data folder names the path and MUSTER_DATA.",
    source: "goal",
  },
  "operations.start.waits-for-database": {
    states: "A start that waits for its database says so at once, and where it looks for it.",
    source: "goal",
  },
  "operations.start.disk-full": {
    states: "A full disk is named with the path and MUSTER_DATA.",
    source: "goal",
  },
  "operations.database.awaited": {
    states: "A start waits up to 30 seconds for a database that is starting.",
    source: "goal",
  },
  "operations.config.checked-at-start": {
    states: "A setting of the wrong form ends the start with a message that names the setting and what is allowed.",
    source: "goal",
  },
  "operations.config.env-example": {
    states: ".env.example is generated from the settings and lists every one.",
    source: "goal",
  },
  "operations.config.no-secret-shown": {
    states: "No message about settings shows a secret's value.",
    source: "goal",
  },
  "operations.shutdown.graceful": {
    states: "SIGTERM lets requests finish, ends open streams and exits with 0.",
    source: "goal",
  },
  "operations.shutdown.silent-connections": {
    states: "Connections on which nothing was asked yet do not hold up the end of a process.",
    source: "goal",
  },
  "operations.shutdown.hands-over": {
    states: "A run that is in progress at shutdown continues at the next start.",
    source: "goal",
  },
  "operations.shutdown.rolling-restart": {
    states: "Processes that are restarted one after another under load lose no work and make no call twice.",
    source: "goal",
  },
  "operations.logs.request": {
    states: "Each request is logged with method, path, status, duration and request_id.",
    source: "goal",
  },
  "operations.logs.no-secrets": {
    states: "No key, password or token appears in the logs.",
    source: "goal",
  },
} as const satisfies Requirements<"operations">;
