import { FIRST_MIGRATION, latestVersion } from "#db/migration/files.ts";
import { failed, ok, warning } from "../define-check.ts";
import type { ServerCheck } from "../define-check.ts";

/** Whether this program, the schema and the server fit each other. */
export const versions: ServerCheck = {
  name: "versions",
  of: "server",
  async run({ version, schemaVersion, firstMigration }) {
    if (firstMigration !== null && firstMigration !== FIRST_MIGRATION) {
      const text = "The database was created by a version before the first release, which cannot be upgraded.";
      return failed(text, "Start with an empty data folder or an empty database.");
    }
    const own = await latestVersion();
    if (schemaVersion > own) {
      const text = `The schema has version ${schemaVersion}, and this program knows versions up to ${own}.`;
      return failed(text, "Use the version of Muster that last started here, or a newer one.");
    }
    if (schemaVersion < own) {
      const text = `The schema has version ${schemaVersion}, and this program has version ${own}.`;
      return warning(text, "The next start of the service migrates it. After a restore, start the service again.");
    }
    return ok(`PostgreSQL ${version}, schema version ${own}.`);
  },
};
