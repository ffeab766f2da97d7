import type { ServerContext } from "@modelcontextprotocol/server";
import { answerCall } from "#operations/conversations/mcp-calls.ts";
import type { McpCall } from "#operations/conversations/mcp-calls.ts";
import type { HttpWorkspace } from "../context.ts";
import { answerOf, elicited } from "./elicitation.ts";

/**
 * Answers the open question of a call from a request's `inputResponses`; those to other questions count for nothing.
 * Returns the keys of the questions that the person leaves to others.
 * @throws AppError `bad_request` when the answer does not match the question, `forbidden` when the caller may not answer
 * it; it then stays open
 */
export async function answerFrom(
  workspace: HttpWorkspace,
  call: McpCall,
  { mcpReq }: Pick<ServerContext, "mcpReq">,
): Promise<readonly string[]> {
  const { open } = call;
  const said = open && elicited.safeParse(mcpReq.inputResponses?.[open.key]).data;
  if (open === undefined || said === undefined) return [];
  const { key, asked } = open;
  const answer = answerOf(asked, said);
  if (answer === undefined) return [key];
  await answerCall(workspace, { call, key, answer });
  return [];
}
