import type { z } from "zod";
import { savedTemplateCreate } from "#domain/agents/output-template.ts";
import { savedVoiceCreate } from "#domain/agents/voice.ts";
import { knowledgeBaseCreate } from "#domain/knowledge/knowledge.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

/** Named records that agents refer to. */
export type Saved = "voice_profile" | "output_template" | "knowledge_base";

/** Fields of a row, by column name. */
export type SavedFields = Readonly<Record<string, unknown>>;

const STATEMENTS = {
  voice_profile: statementsOf("voice_profiles", savedVoiceCreate),
  output_template: statementsOf("output_templates", savedTemplateCreate),
  knowledge_base: statementsOf("knowledge_bases", knowledgeBaseCreate),
} satisfies Readonly<Record<Saved, unknown>>;

/** The statements of a table whose writable columns are the fields of the body that creates a record. */
function statementsOf(table: `${Saved}s`, { shape }: z.ZodObject) {
  const writable = Object.keys(shape).join(", ");
  return {
    insert: statement({ name: `insert-${table}` as const, text: insertInto(table, writable) }),
    update: statement({ name: `update-${table}` as const, text: updateOf(table, writable) }),
    delete: statement({
      name: `delete-${table}` as const,
      text: `delete from ${table} where id = any($1::uuid[]) returning id`,
    }),
  };
}

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
