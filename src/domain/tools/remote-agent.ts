import { z } from "zod";
import { trimEndOf } from "#lib/text/trim-end.ts";

/** The tool by which an agent delegates to remote agents. */
export const DELEGATE_TOOL = "a2a_delegate";

/** The arguments of that tool. */
export const delegateInput = z.strictObject({
  agent_id: z.string().min(1).describe("The id of a remote agent."),
  message: z
    .string()
    .trim()
    .min(1)
    .max(100_000)
    .describe("Everything that it needs to know: it receives nothing else."),
});

const token = z
  .string()
  .min(1)
  .max(4_000)
  .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters without spaces")
  .describe("Sent as the bearer token of every request to it; stored encrypted, never shown.");

/** The body of POST /console/api/remote-agents. */
export const remoteAgentCreate = z.strictObject({
  base_url: z
    .url({ protocol: /^https?$/, message: "must be an http or https URL" })
    .max(2_000)
    .transform(withoutQuery)
    .describe("The URL of its card if it ends with .json; otherwise the card is below /.well-known/ of this URL."),
  token: token.optional(),
  is_enabled: z.boolean().default(true),
});

/** A remote agent to register, validated. */
export type RemoteAgentCreate = z.output<typeof remoteAgentCreate>;

/** The body of PATCH /console/api/remote-agents/:id. */
export const remoteAgentPatch = z
  .strictObject({ is_enabled: z.boolean().optional(), token: token.nullish().describe("null removes it.") })
  .describe("The fields to change.");

/** Changes to a remote agent, validated. */
export type RemoteAgentPatch = z.output<typeof remoteAgentPatch>;

/** Fields that a client may send back from a record; they are ignored. */
export const REMOTE_AGENT_READ_ONLY = [
  "id",
  "workspace_id",
  "name",
  "description",
  "version",
  "protocol_version",
  "skills",
  "has_token",
  "card_fetched_at",
  "card_error",
  "created_by",
  "created_at",
  "updated_at",
] as const;

/** The row to which an encrypted token is bound. */
export function remoteAgentContext(workspaceId: string, id: string): string {
  return `remote_agents:${workspaceId}:${id}`;
}

/** Returns a URL without query, fragment and trailing slashes. */
function withoutQuery(url: string): string {
  const { href } = Object.assign(new URL(url), { search: "", hash: "" });
  return trimEndOf(href, "/");
}
