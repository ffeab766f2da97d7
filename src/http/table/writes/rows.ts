import type { Writer } from "./writer.ts";

/** A table whose rows are only rows: the database's own constraints are all of their rules. */
export function rowsWriter(table: "voice_profiles" | "output_templates"): Writer {
  return {
    async insert({ tx, who, timeoutMs }, row) {
      const stored = { ...row, workspace_id: who.workspaceId, created_by: who.userId };
      const names = Object.keys(stored).join(", ");
      const text = `insert into public.${table} (${names}) select ${names} from jsonb_populate_record(null::public.${table}, $1)`;
      await tx.queryOnce({ text, values: [JSON.stringify(stored)], timeoutMs });
    },
    async update({ tx, timeoutMs }, id, patch) {
      const set = [...Object.keys(patch).map((name) => `${name} = r.${name}`), "updated_at = clock_timestamp()"].join(
        ", ",
      );
      const text = `update public.${table} t set ${set} from jsonb_populate_record(null::public.${table}, $2) r where t.id = $1`;
      await tx.queryOnce({ text, values: [id, JSON.stringify(patch)], timeoutMs });
    },
    async remove({ tx, timeoutMs }, id) {
      await tx.queryOnce({ text: `delete from public.${table} where id = $1`, values: [id], timeoutMs });
    },
  };
}
