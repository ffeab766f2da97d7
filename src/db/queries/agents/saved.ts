import type { Statement, Transaction } from "../../database.ts";

/** Named records that agents refer to: voice profiles and output templates. */
export type Saved = "voice_profile" | "output_template" | "knowledge_base";

/** Fields of a row, by column name. */
export type SavedFields = Readonly<Record<string, unknown>>;

interface Statements {
  readonly insert: Statement;
  readonly update: Statement;
  readonly delete: Statement;
}

const STATEMENTS: Readonly<Record<Saved, Statements>> = {
  voice_profile: statementsOf("voice_profiles", "name, tone, custom_instructions, output_format_hints"),
  output_template: statementsOf("output_templates", "name, type, body"),
  knowledge_base: statementsOf("knowledge_bases", "name, description, embedding_model"),
};

function statementsOf(table: string, writable: string): Statements {
  return {
    insert: {
      name: `insert-${table}`,
      text: `
        insert into ${table} (id, workspace_id, created_by, ${writable})
        select id, workspace_id, created_by, ${writable} from jsonb_populate_record(null::${table}, $1)`,
    },
    update: {
      name: `update-${table}`,
      text: `
        update ${table} s set (${writable}, updated_at) =
          (select ${writable}, clock_timestamp() from jsonb_populate_record(s, $2))
        where id = $1`,
    },
    delete: { name: `delete-${table}`, text: `delete from ${table} where id = $1 returning id` },
  };
}

/** A row to insert. */
export type NewSaved = SavedFields & {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_by: string;
};

/** Inserts a row. */
export async function insertSaved(tx: Transaction, of: Saved, row: NewSaved): Promise<void> {
  await tx.query(STATEMENTS[of].insert, [JSON.stringify(row)]);
}

/** Changes the given fields of a row, if the workspace has it. */
export async function updateSaved(
  tx: Transaction,
  of: Saved,
  change: { readonly id: string; readonly patch: SavedFields },
): Promise<void> {
  await tx.query(STATEMENTS[of].update, [change.id, JSON.stringify(change.patch)]);
}

/** Deletes a row; agents that used it fall back to their own settings. Returns whether there was one. */
export async function deleteSaved(tx: Transaction, of: Saved, id: string): Promise<boolean> {
  return (await tx.query(STATEMENTS[of].delete, [id])).length > 0;
}
