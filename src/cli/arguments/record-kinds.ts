import { z } from "zod";
import type { HttpClient } from "../service/http-client.ts";
import { listRecords } from "../service/list-records.ts";
import type { Named } from "./resolve-name.ts";

/** How many records of a kind are searched for a name or a short id, newest first. */
const MAX_SEARCHED = 1_000;

const record = z.looseObject({ id: z.string() });
const member = z.looseObject({ user_id: z.string(), email: z.string() });

type Row = z.output<typeof record>;

/** Records that a command line can name. */
interface RecordKind {
  /** What one is called. */
  readonly what: string;
  /** The command that lists them. */
  readonly listedBy: string;
  /** What a person calls a record, besides its id. */
  readonly nameOf: (row: Row) => string;
  readonly list: (client: HttpClient) => Promise<readonly Row[]>;
}

const text = (value: unknown) => (typeof value === "string" ? value : "");

const paged = (path: string) => async (client: HttpClient) =>
  (await listRecords(client, { path, record, limit: MAX_SEARCHED })).items;

const whole = (path: string) => (client: HttpClient) => client.request(z.array(record), { method: "GET", path });

const named = (row: Row) => text(row["name"]);

/** All kinds of records that commands accept by id, by the end of an id, or by name. */
export const RECORD_KINDS = {
  agent: { what: "agent", listedBy: "agents list", nameOf: named, list: paged("/functions/v1/api-agents") },
  team: { what: "team", listedBy: "teams list", nameOf: named, list: paged("/functions/v1/api-teams") },
  task: {
    what: "task",
    listedBy: "tasks list",
    nameOf: (row) => text(row["title"]),
    list: paged("/functions/v1/api-tasks"),
  },
  run: {
    what: "run",
    listedBy: "runs list",
    nameOf: (row) => text(row["input_task"]),
    list: paged("/functions/v1/api-runs"),
  },
  schedule: { what: "schedule", listedBy: "schedules list", nameOf: named, list: paged("/console/api/schedules") },
  trigger: { what: "trigger", listedBy: "triggers list", nameOf: named, list: paged("/console/api/triggers") },
  route: { what: "output route", listedBy: "routes list", nameOf: named, list: paged("/console/api/routes") },
  delivery: {
    what: "delivery",
    listedBy: "deliveries list",
    nameOf: () => "",
    list: paged("/console/api/deliveries"),
  },
  hook: {
    what: "webhook subscription",
    listedBy: "hooks list",
    nameOf: (row) => text(row["url"]),
    list: paged("/console/api/hooks"),
  },
  file: { what: "file", listedBy: "files list", nameOf: named, list: paged("/files") },
  document: {
    what: "document",
    listedBy: "knowledge list",
    nameOf: named,
    list: paged("/console/api/knowledge/documents"),
  },
  budget: {
    what: "budget",
    listedBy: "budgets list",
    nameOf: (row) => text(row["target_name"]),
    list: paged("/console/api/budgets"),
  },
  "remote agent": {
    what: "remote agent",
    listedBy: "remote-agents list",
    nameOf: named,
    list: paged("/console/api/remote-agents"),
  },
  tool: { what: "tool", listedBy: "tools list", nameOf: named, list: paged("/console/api/tools") },
  "MCP server": {
    what: "MCP server",
    listedBy: "mcp-servers list",
    nameOf: named,
    list: paged("/console/api/mcp-servers"),
  },
  key: { what: "key", listedBy: "keys list", nameOf: (row) => text(row["label"]), list: whole("/console/api/keys") },
  member: {
    what: "member",
    listedBy: "members list",
    nameOf: (row) => text(row["name"]),
    list: async (client) =>
      (await client.request(z.array(member), { method: "GET", path: "/console/api/members" })).map((row) => ({
        ...row,
        id: row.user_id,
        name: row.email,
      })),
  },
} as const satisfies Record<string, RecordKind>;

/** One of {@link RECORD_KINDS}. */
export type RecordKindName = keyof typeof RECORD_KINDS;

/** The records of a kind with what a person calls them. */
export async function listNamed(client: HttpClient, kind: RecordKindName): Promise<readonly Named[]> {
  const { list, nameOf } = RECORD_KINDS[kind];
  return (await list(client)).map((row) => ({ id: row.id, name: nameOf(row) }));
}
