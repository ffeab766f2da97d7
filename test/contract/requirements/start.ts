import type { Requirements } from "./requirement.ts";

const SELF = "npm test cannot run itself; every CI run on a fresh checkout shows it";

/** Installing, the first start, and the embedded database. */
export const start = {
  "start.npm-start": {
    states: "npm start on a machine with Node 20 or newer installs missing packages and starts the service.",
    source: "goal",
  },
  "start.npm-test": {
    states: "npm test installs missing packages and runs every test.",
    source: "goal",
    open: SELF,
  },
  "start.second-start": { states: "A second npm start installs nothing.", source: "goal" },
  "start.own-node": {
    states: "A machine's Node is used when it is 24 or newer; otherwise Node 24 is fetched as an npm package.",
    source: "goal",
  },
  "start.embedded.default": {
    states: "Without DATABASE_URL a private PostgreSQL is started in the data folder.",
    source: "goal",
  },
  "start.embedded.nameless-user": {
    states:
      "The embedded database starts for a user without a name, as containers have them, where nss_wrapper is installed; elsewhere the start says what to do.",
    source: "goal",
  },
  "start.embedded.data-folder": {
    states: "MUSTER_DATA chooses the data folder; .muster is used otherwise.",
    source: "goal",
  },
  "start.embedded.as-root": {
    states: "The embedded database starts when the service runs as root.",
    source: "goal",
  },
  "start.embedded.not-root": {
    states: "The embedded database starts when the service runs as an ordinary user.",
    source: "goal",
  },
  "start.embedded.private-home": {
    states: "The embedded database starts when the project is in a home that only its owner may enter.",
    source: "goal",
  },
  "start.embedded.survives-kill": {
    states: "After kill -9 of the service the next start reuses the same database and its data.",
    source: "goal",
  },
  "start.embedded.second-process": {
    states: "A second process on the same data folder shares the running database.",
    source: "goal",
  },
  "start.embedded.foreign-folder-refused": {
    states: "A folder of another user in a shared temporary directory is not trusted.",
    source: "goal",
  },
  "start.embedded.not-runnable": {
    states: "Where the embedded binaries cannot run, the start ends with one message that names DATABASE_URL.",
    source: "goal",
  },
  "start.embedded.major-pinned": {
    states: "A data folder of another major version is rejected, never converted silently.",
    source: "goal",
  },
  "start.embedded.stops-with-service": {
    states: "Stopping the service stops the database that it started.",
    source: "goal",
  },
  "start.external": {
    states: "With DATABASE_URL the service runs on that PostgreSQL, 15 or newer.",
    source: "goal",
  },
  "start.pooler.direct-url": {
    states: "With DATABASE_DIRECT_URL, DATABASE_URL may be that of PgBouncer in transaction mode.",
    source: "goal",
  },
  "start.pooler.request-role": {
    states: "Through PgBouncer requests log in as the role of DATABASE_REQUEST_URL, with scram and a userlist.txt.",
    source: "goal",
  },
  "start.pooler.self-test": {
    states:
      "A transaction pooler without DATABASE_DIRECT_URL ends the start with a message that names the missing setting.",
    source: "goal",
  },
  "start.external.same-tests": {
    states: "The tests run on an external database when TEST_DATABASE_URL is set.",
    source: "goal",
  },
  "start.first.prints-url": {
    states: "The first start prints the service's URL.",
    source: "goal",
  },
  "start.keys-for-operators": {
    states: "An operator with database access creates a key without another key: muster keys create.",
    source: "goal",
  },
  "start.first.keys-file": {
    states: "Without a terminal the first keys are written to a file in the data folder, which is created if missing.",
    source: "goal",
  },
  "start.first.prints-set-up-link": {
    states: "The first start prints a set-up link.",
    source: "decision",
  },
  "start.first.set-up-link-again": {
    states:
      "Until the set-up link is used, muster setup-link and each start on a terminal print a new one, which replaces the earlier; a start without a terminal names the command.",
    source: "decision",
  },
  "start.first.set-up-link-once": { states: "The set-up link works once.", source: "decision" },
  "start.first.prints-key-once": {
    states:
      "The first start shows the first workspace's envelope key on a terminal, or else writes it to a file that only its user can read; later starts do neither.",
    source: "goal",
  },
  "start.headless.account": {
    states: "MUSTER_INIT_EMAIL, MUSTER_INIT_PASSWORD and MUSTER_INIT_WORKSPACE name the first account and workspace.",
    source: "decision",
  },
  "start.headless.keys": {
    states:
      "MUSTER_INIT_API_KEY, MUSTER_INIT_TABLE_KEY, MUSTER_INIT_AGUI_KEY, MUSTER_INIT_A2A_KEY and MUSTER_INIT_MCP_KEY set the first keys.",
    source: "decision",
  },
  "start.headless.anon-key": {
    states: "MUSTER_ANON_KEY sets the instance's anon key.",
    source: "goal",
  },
  "start.headless.prints-no-key": {
    states: "Configured keys are not printed.",
    source: "goal",
  },
  "start.headless.init-json": {
    states: "muster init --json sets up the instance and prints the result as JSON.",
    source: "decision",
  },
  "start.headless.init-once": {
    states: "Initialising an instance that has a workspace changes nothing.",
    source: "goal",
  },
  "start.restart.paid-once": {
    states: "Clean restarts under traffic repeat no paid call and lose no accepted work.",
    source: "goal",
  },
  "start.restart.no-crash": { states: "A clean restart counts as a crash of no run.", source: "goal" },
  "start.database.earlier-engine": {
    states: "A database of a version before the first release is rejected with one clear message.",
    source: "goal",
  },
  "start.package.size": {
    states: "The npm package muster-agents has at most 3 MB packed, and 180 MB installed.",
    source: "goal",
  },
  "start.package.first-start": {
    states: "npx muster-agents in an empty folder makes the same first start as npm start.",
    source: "goal",
  },
  "start.package.pages": {
    states: "The npm package serves the built console and the API reference.",
    source: "goal",
  },
  "start.package.managers": {
    states: "The npm package, installed by pnpm or yarn, starts, runs an agent and reads a document.",
    source: "goal",
  },
  "start.package.documents": {
    states: "The npm package reads documents, wherever the package manager has placed its dependencies.",
    source: "goal",
  },
} as const satisfies Requirements<"start">;
