import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { parseClientCallId } from "#protocols/openai/client-call-id.ts";
import { continuingResults, toConversation } from "#protocols/openai/items.ts";
import { readClientTools } from "#protocols/openai/tools.ts";
import { changesForRun } from "#operations/conversations/changes-for-run.ts";
import { conversationOf, converse } from "#operations/conversations/converse.ts";
import type { BegunReply } from "#operations/conversations/follow-reply.ts";
import { resolveItems } from "#operations/conversations/resolve-items.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { repeatableBy } from "./caller.ts";
import { replyPartOf } from "#protocols/openai/ids.ts";
import { keptSettings } from "./kept-settings.ts";
import { responseFieldsWithoutEffect } from "#protocols/openai/response-request.ts";
import type { RequestEcho, ResponseRequest } from "#protocols/openai/response-request.ts";
import { imageWarnings, setWarnings } from "./warnings.ts";
import type { NamedModel } from "#domain/models/runnable-model.ts";

/** A request to Responses. */
export interface AskedResponse {
  readonly who: Principal;
  readonly request: ResponseRequest;
  readonly model: NamedModel;
  readonly echo: RequestEcho;
  /** Until when the caller follows the response; undefined for one in the background. */
  readonly follows: AbortSignal | undefined;
}

/**
 * Starts or continues the run of a request: with function outputs, which continue a run, or a conversation. Warns about
 * what has no effect.
 * @throws AppError as the operations do.
 */
export async function startResponse(services: HttpServices, c: HttpContext, asked: AskedResponse): Promise<BegunReply> {
  const { who, request, model, echo, follows } = asked;
  const clientTools = readClientTools(request);
  const wanted = {
    model,
    format: request.text?.format ?? undefined,
    effort: request.reasoning?.effort ?? undefined,
    effortPath: "reasoning.effort",
    summary: request.reasoning?.summary ?? undefined,
  };
  const run = { model, clientTools, once: await repeatableBy(c), requestId: c.get("requestId"), follows };
  const without = responseFieldsWithoutEffect(services, request, model);
  const { input } = request;
  const results = continuingResults(input);
  const previous = request.previous_response_id == null ? undefined : replyPartOf(request.previous_response_id);
  const [first] = results;
  if (first !== undefined) {
    if (previous !== undefined && parseClientCallId(first.callId)?.taskId !== previous.taskId) {
      const message = `The response ${request.previous_response_id} did not make the call ${first.callId}.`;
      throw new AppError("bad_request", message);
    }
    const begun = await converse(services, who, { ...run, results });
    setWarnings(c, { without, others: await keptSettings(services, who, { ...wanted, ...begun }) });
    return begun;
  }
  const earlier = previous === undefined ? [] : await conversationOf(services, who, previous.taskId);
  const instructions = request.instructions ? [{ role: "user", content: request.instructions } as const] : [];
  const items = await resolveItems(services, who, input, (id) => replyPartOf(id, "msg_"));
  const messages = [...earlier, ...instructions, ...toConversation(items, "input")];
  const agent = await changesForRun(services, who, wanted);
  setWarnings(c, { without, others: imageWarnings(services, model, items) });
  const clientRequest = { agent, response: echo, stored: request.store ?? true };
  return converse(services, who, { ...run, messages, clientRequest, metadata: request.metadata ?? {} });
}
