import { DatabaseError } from "pg";
import { AppError, notFound } from "#domain/errors.ts";
import type { ErrorCode } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { codeOf } from "#lib/error-code.ts";

/**
 * Our own SQLSTATEs, whose messages are for the caller: of `count_stored` and `limit_schedules`; of `reject_unreviewed`,
 * and of `count_stored` in a held workspace; of `reject_retired_key` (src/db/routines).
 */
const REJECTIONS: ReadonlyMap<string, ErrorCode> = new Map([
  ["MQ001", "quota_exceeded"],
  ["MQ002", "conflict"],
  ["MQ003", "unavailable"],
]);

/**
 * The errors of the constraints that a caller's input can violate. The database itself checks names and references, so
 * that a reference never leaves its workspace, whatever other requests change meanwhile.
 */
export const CONSTRAINTS: ReadonlyMap<string, () => AppError> = new Map([
  ["runs_agent_fkey", () => notFound("Agent")],
  ["runs_team_fkey", () => notFound("Team")],
  ["agents_voice_profile_fkey", () => unknownReference("voice_profile_id", "voice profile")],
  ["agents_output_template_fkey", () => unknownReference("output_template_id", "output template")],
  ["agents_knowledge_base_ids_fkey", () => unknownReference("knowledge_base_ids", "knowledge base")],
  ["agents_output_route_ids_fkey", () => unknownReference("output_route_ids", "output route")],
  ["teams_output_route_ids_fkey", () => unknownReference("output_route_ids", "output route")],
  ["knowledge_documents_base_fkey", () => unknownReference("knowledge_base_id", "knowledge base")],
  ["webhook_subscriptions_agent_fkey", () => unknownReference("agent_id", "agent")],
  ["webhook_subscriptions_team_fkey", () => unknownReference("team_id", "team")],
  ["output_routes_agent_fkey", () => unknownReference("agent_id", "agent")],
  ["alerts_agent_fkey", () => unknownReference("agent_id", "agent")],
  ["alerts_team_fkey", () => unknownReference("team_id", "team")],
  ["alerts_watched_route_fkey", () => unknownReference("watched_route_id", "output route")],
  ...["schedules", "triggers", "trello_channels"].flatMap(assigneeOf),
  // Their ids are new, but for that of a connected app, which is its request's.
  ["api_keys_pkey", () => new AppError("conflict", "This request is being decided already: try again.")],
  ["custom_tools_name_key", () => new AppError("conflict", "The workspace has another tool of this name.")],
  ["mcp_servers_name_key", () => new AppError("conflict", "The workspace has another MCP server of this name.")],
  [
    "mcp_servers_hold_check",
    () =>
      invalid("body", [{ path: "on_change", message: "cannot be hold where each person's account has its own tools" }]),
  ],
  ["agent_pages_agent_fkey", () => unknownReference("agent_id", "agent")],
  ["agent_pages_slug_key", () => new AppError("conflict", "Another page has this slug: choose another one.")],
  ["agent_pages_agent_key", () => new AppError("conflict", "This agent has a page already: change that one.")],
  [
    "remote_agents_base_url_key",
    () => new AppError("conflict", "The workspace has a remote agent with this base_url already."),
  ],
  [
    "knowledge_bases_used_by_agents",
    () =>
      new AppError(
        "conflict",
        "Agents are restricted to this knowledge base: remove it from their knowledge_base_ids first.",
      ),
  ],
]);

/** The constraints of a table whose rows assign tasks to an agent or a team. */
function assigneeOf(table: string): [string, () => AppError][] {
  const choice = { path: "assigned_agent_id", message: "name either an agent or a team" };
  return [
    [`${table}_agent_fkey`, () => unknownReference("assigned_agent_id", "agent")],
    [`${table}_team_fkey`, () => unknownReference("assigned_team_id", "team")],
    [`${table}_assignee_check`, () => invalid("body", [choice])],
  ];
}

/** The error of a field of the body that refers to nothing in the workspace. */
export function unknownReference(path: string, what: string): AppError {
  return invalid("body", [{ path, message: `the workspace has no such ${what}` }]);
}

/** Turns PostgreSQL's rejection of what a caller sent into an error for the caller; other errors remain as they are. */
export function explainRejection(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const code = REJECTIONS.get(codeOf(error));
  if (code !== undefined) return new AppError(code, error.message, { cause: error });
  const rejection = CONSTRAINTS.get(error.constraint ?? "")?.();
  return rejection === undefined ? error : Object.assign(rejection, { cause: error });
}

/** The constraint by which PostgreSQL rejected a statement; undefined for other errors. */
export function constraintOf(error: unknown): string | undefined {
  if (error instanceof AppError) return constraintOf(error.cause);
  return error instanceof DatabaseError ? error.constraint : undefined;
}
