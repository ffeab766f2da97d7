import type { Requirements } from "./requirement.ts";

/** Running the service: migrations, settings, shutdown, logs. */
export const operations = {
  "operations.root": { states: "GET and HEAD / answer a program with 200, without a key.", source: "decision" },
  "operations.version": { states: "GET /version returns the name and the version, without a key.", source: "goal" },
  "operations.reference-page": {
    states: "GET /docs is the API reference as a page; the service serves all of its files.",
    source: "goal",
  },
  "operations.metrics": {
    states: "With OPS_PORT, that port serves metrics in Prometheus's format, on loopback unless OPS_HOST is set.",
    source: "goal",
  },
  "operations.metrics.runs": {
    states: "The metrics count the ended runs of the installation by kind, status and error code.",
    source: "goal",
  },
  "operations.metrics.deliveries": {
    states: "The metrics count attempts of deliveries by type: delivered, retried and lost.",
    source: "goal",
  },
  "operations.metrics.queue": {
    states:
      "The metrics show the oldest waiting job of each kind, the most overdue schedule, and closed provider gates.",
    source: "goal",
  },
  "operations.metrics.database": {
    states: "The metrics show the database's xid age, oldest transaction and queue of notifications.",
    source: "goal",
  },
  "operations.metrics.takeovers": {
    states: "The metrics count jobs taken over, lost leases and rejected writes.",
    source: "goal",
  },
  "operations.log.failures": {
    states: "A failed run and a lost delivery are warnings in the log, with run, workspace and reason.",
    source: "goal",
  },
  "operations.log.workspace": {
    states: "The log's lines of requests and jobs have the workspace.",
    source: "goal",
  },
  "operations.log": {
    states:
      "The log contains level names and ISO 8601 times, and at info a line for each migration and each start and end of a job.",
    source: "goal",
  },
  "operations.migrations.once": {
    states: "Two processes that start concurrently on an empty database migrate it once.",
    source: "goal",
  },
  "operations.migrations.checksum": {
    states: "The start fails when an applied migration was changed.",
    source: "goal",
  },
  "operations.schema.dump": {
    states: "src/db/gen/schema.sql is the schema of a fresh database.",
    source: "goal",
  },
  "operations.schema.rows": {
    states:
      "src/db/gen/rows.ts describes the rows of each statement in a fresh database; row types are checked against it.",
    source: "goal",
  },
  "operations.schema.routines": {
    states: "The next start replaces functions, triggers and views whose files changed.",
    source: "goal",
  },
  "operations.migrations.newer-schema": {
    states: "A database of a newer version is rejected with a message that states the reason.",
    source: "goal",
  },
  "operations.migrations.locks": {
    states:
      "A migration waits two seconds at a time for a lock, so that requests pass; when it gives up, it names who holds it, and has changed nothing.",
    source: "goal",
  },
  "operations.migrations.indexes": {
    states: "A migration can build indexes while others write; one that a crash has left invalid is built again.",
    source: "goal",
  },
  "operations.migrations.batches": {
    states: "A migration can change rows in batches, each with its commit, and continues after a crash.",
    source: "goal",
  },
  "operations.migrations.plan": {
    states:
      "muster migrate --dry-run prints which migrations would run, what they touch and lock, and changes nothing.",
    source: "goal",
  },
  "operations.upgrade.runs": {
    states:
      "After an upgrade from any released version, runs in progress, open questions, scheduled tasks and pending deliveries continue where they were; no finished step is repeated.",
    source: "goal",
  },
  "operations.upgrade.partitions": {
    states:
      "Events and steps of a version without partitions become the first one; processes of that version go on writing.",
    source: "goal",
  },
  "operations.upgrade.records": {
    states: "After an upgrade from any released version, the records of before are read and used as before.",
    source: "goal",
  },
  "operations.ready.starting": {
    states: "Before the engine runs, every request gets 503 and no job is claimed.",
    source: "goal",
  },
  "operations.ready.reasons": {
    states: "GET /readyz returns 503 with reasons: starting, draining, database, schema, pooler, writer, lease.",
    source: "goal",
  },
  "operations.ready.stop-while-starting": {
    states: "SIGTERM during the start stops the process cleanly.",
    source: "goal",
  },
  "operations.outage.disk-full": {
    states: "While the database's disk is full, requests that store data get 503 storage_full with Retry-After.",
    source: "goal",
  },
  "operations.outage.unavailable": {
    states: "While the database is unavailable or silent, requests get 503 unavailable and Retry-After.",
    source: "goal",
  },
  "operations.outage.logged-once": {
    states: "The requests of one outage share a line of the log in ten seconds, with the reason and without a stack.",
    source: "goal",
  },
  "operations.database.named": {
    states: "An unusable database ends the start with an error that names the setting and hides the password.",
    source: "goal",
  },
  "operations.database.possible": {
    states:
      "DATABASE_URL with several hosts, in a form that cannot be used, or with a certificate that cannot be read is rejected with what is possible; a socket's folder can be given.",
    source: "goal",
  },
  "operations.config.public-url": {
    states: "A PUBLIC_URL with a path is rejected at the start.",
    source: "goal",
  },
  "operations.start.files": {
    states: "When the process may open too few files, the error of the start names the limit and how to raise it.",
    source: "goal",
  },
  "operations.start.memory": {
    states: "When the memory of the process is limited to less than 512 MiB, a warning of the start says so.",
    source: "goal",
  },
  "operations.start.missing-grant": {
    states: "The error for a role that may not prepare the database names the role and the missing grants.",
    source: "goal",
  },
  "operations.start.encoding": {
    states: "The error for a database that is not UTF8 names its encoding and the statement that creates a right one.",
    source: "goal",
  },
  "operations.start.lost-connection": {
    states:
      "A start that loses a database connection begins anew; after half a minute of losses it ends with a clear error.",
    source: "goal",
  },
  "operations.start.no-key-left": { states: "A failed start leaves no new encryption.key.", source: "goal" },
  "operations.start.data-folder": {
    states: "When the data folder is not writable, the error of the start names the path and MUSTER_DATA.",
    source: "goal",
  },
  "operations.start.address": {
    states: "When a host or port cannot be listened on, the error of the start names the setting and what to set.",
    source: "goal",
  },
  "operations.start.waits-for-database": {
    states: "A start that waits for its database reports it immediately, with the database's location.",
    source: "goal",
  },
  "operations.start.disk-full": {
    states: "The error for a full disk names the path and MUSTER_DATA.",
    source: "goal",
  },
  "operations.database.awaited": {
    states: "A start waits up to 30 seconds for a database that is starting.",
    source: "goal",
  },
  "operations.config.checked-at-start": {
    states: "An invalid setting ends the start with a message that names the setting and its allowed values.",
    source: "goal",
  },
  "operations.config.files": {
    states:
      "The value of a setting can be in a file that the variable with `_FILE` names, as secrets of containers are.",
    source: "goal",
  },
  "operations.config.misspelt": {
    states:
      "A misspelt setting, and an unknown one that begins with MUSTER_, end the start with the one that was meant.",
    source: "goal",
  },
  "operations.config.env-example": {
    states: ".env.example is generated from the settings and lists every one.",
    source: "goal",
  },
  "operations.config.no-secret-shown": {
    states: "No message about settings contains a secret's value.",
    source: "goal",
  },
  "operations.backup.all": {
    states: "muster backup copies all rows and files of one moment, while processes serve.",
    source: "goal",
  },
  "operations.backup.no-key": {
    states: "A backup names the fingerprint of its encryption key, and does not contain the key.",
    source: "goal",
  },
  "operations.backup.verify": {
    states: "muster backup --verify finds a backup that was cut or edited; so does a restore, before the first row.",
    source: "goal",
  },
  "operations.backup.whole-or-none": {
    states: "A backup that fails, as on a full disk, exits with an error and leaves no file under its name.",
    source: "goal",
  },
  "operations.restore.equal": {
    states: "A restored database has the same rows, references and files as the original at the time of the backup.",
    source: "goal",
  },
  "operations.restore.refused": {
    states: "A restore with another encryption key or version, or into rows, is refused before the first row.",
    source: "goal",
  },
  "operations.restore.whole-or-none": {
    states: "A restore that fails leaves an empty database and no file, and can be repeated.",
    source: "goal",
  },
  "operations.restore.major": {
    states:
      "The documented script moves an embedded database to another major version of PostgreSQL; a start on the old files names it and changes nothing.",
    source: "goal",
  },
  "operations.restore.held": {
    states: "A restored copy serves reads only; nothing is claimed, fired, sent or asked of a model until its release.",
    source: "goal",
  },
  "operations.restore.moves": {
    states: "Backup and restore move an embedded database, with its files, to a server of one's own.",
    source: "goal",
  },
  "operations.shutdown.graceful": {
    states: "SIGTERM lets requests finish, ends open streams and exits with 0.",
    source: "goal",
  },
  "operations.shutdown.drain-delay": {
    states: "With DRAIN_DELAY a stopping service takes requests meanwhile, and /readyz says `draining`.",
    source: "goal",
  },
  "operations.shutdown.silent-connections": {
    states: "Connections without a request do not delay the end of a process.",
    source: "goal",
  },
  "operations.shutdown.hands-over": {
    states: "A run that is in progress at shutdown continues at the next start.",
    source: "goal",
  },
  "operations.shutdown.rolling-restart": {
    states: "Processes that restart one after another under load lose no work and repeat no call.",
    source: "goal",
  },
  "operations.logs.request": {
    states: "Each request is logged with method, path, status, duration and request_id.",
    source: "goal",
  },
  "operations.logs.probes": {
    states: "At the level info, successful requests of probes (/healthz, /readyz) are not logged.",
    source: "goal",
  },
  "operations.logs.outage": {
    states: "An outage of the database is logged once when it begins and once when it ends, not per connection.",
    source: "goal",
  },
  "operations.logs.no-secrets": {
    states: "No key, password or token appears in the logs.",
    source: "goal",
  },
  "operations.version.commit": {
    states: "The version names its commit: in /version, the command, the metrics and the console.",
    source: "goal",
  },
  "operations.metrics.questions": {
    states: "The metrics show the age of the oldest open question, for an alert.",
    source: "goal",
  },
} as const satisfies Requirements<"operations">;
