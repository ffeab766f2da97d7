import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { createOutput } from "../terminal/output.ts";

/** `muster migrate` */
export default defineCommand({
  summary: "Migrate the schema of the database, as each start does; needs access to the database",
  examples: ["migrate --dry-run", "migrate"],
  args: {
    "dry-run": {
      type: "boolean",
      description: "Only print what would change and its locks; exits with 5 if anything would",
    },
    json: CONNECTION.json,
  },
  async run({ "dry-run": dryRun, json }) {
    const { migrateHere, planHere } = await import("../../service/operator.ts");
    const out = createOutput(process.stdout, process.stderr);
    if (!dryRun) {
      const applied = await migrateHere();
      if (json) out.json({ applied });
      else out.line(applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`);
      return EXIT.ok;
    }
    const { migrations, routines } = await planHere();
    const isCurrent = migrations.length === 0 && !routines;
    if (json) out.json({ migrations, routines });
    else if (isCurrent) out.line("The schema is up to date.");
    else {
      const rows = migrations.flatMap(({ name, manner, changes }) =>
        changes.map(({ object, lock }) => [name, manner, object, lock ?? "none: it is new"]),
      );
      if (rows.length > 0) out.table(["MIGRATION", "MANNER", "OBJECT", "LOCK"], rows);
      if (routines) out.line("Functions, triggers and views are replaced, in one transaction.");
    }
    return isCurrent ? EXIT.ok : EXIT.pending;
  },
});
