import type { Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { answerCall, readCall } from "#operations/conversations/mcp-calls.ts";
import type { CallQuestion } from "#operations/conversations/mcp-calls.ts";
import type { HttpWorkspace } from "../context.ts";
import { answerOf, describeForm, elicited } from "./elicitation.ts";

/** The first part of the ids of our requests to clients: the task and the question follow. */
const REQUEST = "question";
const RELATED_TASK = "io.modelcontextprotocol/related-task";

/**
 * Returns what asks a client of an earlier revision on the stream of its request. Its answer is a request of its own,
 * which any process takes: {@link takeAnswer}. @param asker what the client knows the task as
 */
export function askOnStream(server: Server, relatedRequestId: string | number, asker: "call" | "task") {
  return async (question: CallQuestion, taskId: string): Promise<false> => {
    // A client looks for the task that a question names, and a call that is no task has none for it.
    const related = asker === "task" && { _meta: { [RELATED_TASK]: { taskId } } };
    const params = { ...describeForm(question), ...related };
    const id = [REQUEST, taskId, question.key].join(" ");
    // The SDK would keep the answer for the process that asked.
    await server.transport?.send({ jsonrpc: "2.0", id, method: "elicitation/create", params }, { relatedRequestId });
    return false;
  };
}

const response = z.looseObject({ id: z.string(), result: elicited });

/**
 * Takes the answer of a client to {@link askOnStream}; returns whether the message is one. One that comes late changes
 * nothing.
 * @throws AppError `bad_request` when it does not match its question, `forbidden` when the caller may not answer that; it
 * then stays open for others
 */
export async function takeAnswer(workspace: HttpWorkspace, body: unknown): Promise<boolean> {
  const { data } = response.safeParse(body);
  const [kind, taskId = "", key = ""] = data?.id.split(" ") ?? [];
  if (data === undefined || kind !== REQUEST) return false;
  try {
    const call = await readCall(workspace, taskId);
    const answer = call.open?.key === key ? answerOf(call.open.asked, data.result) : undefined;
    if (answer !== undefined) await answerCall(workspace, { call, key, answer });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
  }
  return true;
}
