import { z } from "zod";
import { count, postgresUrl } from "./forms.ts";

/** Where the database is, and how many connections a process holds. */
export const database = z.object({
  DATABASE_URL: postgresUrl.describe(
    "URL of PostgreSQL 15 or newer. Default: a private one, started in the data folder.",
  ),
  DATABASE_DIRECT_URL: postgresUrl.describe(
    "The same database without the pooler, if DATABASE_URL points to a transaction pooler such as PgBouncer.",
  ),
  DATABASE_REQUEST_URL: postgresUrl.describe(
    "The same database with the role that requests log in as, where DATABASE_URL's may not create roles; it needs GRANT muster_viewer, muster_app, muster_admin, muster_reach_viewer, muster_reach_app and nothing else.",
  ),
  DATABASE_READ_URL: postgresUrl.describe(
    "A streaming replica of the database with the role of DATABASE_URL, which answers reports while it is up to date.",
  ),
  DATABASE_READ_LAG: z.coerce
    .number()
    .min(0)
    .max(3_600)
    .default(5)
    .describe("Seconds that the replica may be behind; the database itself answers otherwise."),
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .default(10)
    .describe("Connections of a process for requests; at least 2."),
  DATABASE_ENGINE_POOL: count(5).describe(
    "Connections of a process for the engine; three more keep its lease, and one listens.",
  ),
  MUSTER_DATA: z
    .string()
    .min(1)
    .default("./.muster")
    .describe("The data folder: private database, encryption key, files."),
});
