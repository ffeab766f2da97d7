import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

/** Named records that agents refer to: voice profiles and output templates. */
export type Saved = "voice_profile" | "output_template" | "knowledge_base";

/** Fields of a row, by column name. */
export type SavedFields = Readonly<Record<string, unknown>>;

const STATEMENTS = {
  voice_profile: {
    insert: statement({
      name: "insert-voice_profiles",
      text: insertInto("voice_profiles", "name, tone, custom_instructions, output_format_hints"),
    }),
    update: statement({
      name: "update-voice_profiles",
      text: updateOf("voice_profiles", "name, tone, custom_instructions, output_format_hints"),
    }),
    delete: statement({
      name: "delete-voice_profiles",
      text: `delete from voice_profiles where id = any($1::uuid[]) returning id`,
    }),
  },
  output_template: {
    insert: statement({ name: "insert-output_templates", text: insertInto("output_templates", "name, type, body") }),
    update: statement({ name: "update-output_templates", text: updateOf("output_templates", "name, type, body") }),
    delete: statement({
      name: "delete-output_templates",
      text: `delete from output_templates where id = any($1::uuid[]) returning id`,
    }),
  },
  knowledge_base: {
    insert: statement({
      name: "insert-knowledge_bases",
      text: insertInto("knowledge_bases", "name, description, embedding_model"),
    }),
    update: statement({
      name: "update-knowledge_bases",
      text: updateOf("knowledge_bases", "name, description, embedding_model"),
    }),
    delete: statement({
      name: "delete-knowledge_bases",
      text: `delete from knowledge_bases where id = any($1::uuid[]) returning id`,
    }),
  },
} satisfies Readonly<Record<Saved, unknown>>;

function insertInto(table: string, writable: string): string {
  return `
    insert into ${table} (id, workspace_id, created_by, ${writable})
    select id, workspace_id, created_by, ${writable} from jsonb_populate_record(null::${table}, $1)`;
}

function updateOf(table: string, writable: string): string {
  return `
    update ${table} s set (${writable}, updated_at) =
      (select ${writable}, clock_timestamp() from jsonb_populate_record(s, $2))
    where id = $1`;
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

/** Deletes rows; agents that used them fall back to their own settings. Returns the number of those that existed. */
export async function deleteSaved(tx: Transaction, of: Saved, ids: readonly string[]): Promise<number> {
  return (await tx.query(STATEMENTS[of].delete, [ids])).length;
}
