import { PostgrestClient } from "@supabase/postgrest-js";
import { z } from "zod";
import { send } from "./api.ts";
import type { Answer, Sent } from "./api.ts";
import type { TestAccess } from "./service.ts";

type Row = Record<string, unknown>;
interface AnyTable {
  Row: Row;
  Insert: Row;
  Update: Row;
  Relationships: [];
}

/** A database of which the client knows nothing. */
interface AnyDatabase {
  public: {
    Tables: Record<string, AnyTable>;
    Views: Record<string, never>;
    Functions: Record<string, { Args: Row; Returns: unknown }>;
  };
}

/** The official client, as its users set it up. */
export type TableClient = PostgrestClient<AnyDatabase>;

/** The credentials of the table API. */
export function tableHeaders(service: TestAccess, key = service.keys.table): Record<string, string> {
  return { apikey: service.keys.anon, authorization: `Bearer ${key}` };
}

/** The official client for the owner of a table key. */
export function tableClient(service: TestAccess, key = service.keys.table): TableClient {
  return new PostgrestClient<AnyDatabase>(`${service.url}/rest/v1`, { headers: tableHeaders(service, key) });
}

/** Sends one request to the table API as the owner of a table key. Paths are relative to /rest/v1. */
export function rawTable(service: TestAccess, key = service.keys.table) {
  return (method: string, path: string, sent: Sent = {}): Promise<Answer> =>
    send(method, `${service.url}/rest/v1${path}`, {
      ...sent,
      headers: { ...tableHeaders(service, key), ...sent.headers },
    });
}

const errorBody = z.strictObject({
  code: z.string(),
  message: z.string(),
  details: z.string().nullable(),
  hint: z.string().nullable(),
});

/** A rejection of the table API: its status with its body. */
export function tableRefusal(answer: Answer): z.output<typeof errorBody> & { readonly status: number } {
  return { status: answer.status, ...errorBody.parse(answer.body) };
}

const identified = z.looseObject({ id: z.uuid() });

/** The id of a row that a client was given. @throws ZodError when it has none. */
export function idOf(row: unknown): string {
  return identified.parse(row).id;
}
