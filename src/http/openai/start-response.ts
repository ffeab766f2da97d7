import { AppError } from "#domain/errors.ts";
import { parseClientCallId } from "#protocols/openai/client-call-id.ts";
import { continuingResults, isTextOnly, toConversation } from "#protocols/openai/items.ts";
import { readClientTools } from "#protocols/openai/tools.ts";
import { changesForRun } from "#operations/conversations/changes-for-run.ts";
import { conversationOf, converse } from "#operations/conversations/converse.ts";
import type { RunRequest } from "#operations/conversations/converse.ts";
import { beginReply } from "#operations/conversations/follow-reply.ts";
import type { BegunReply } from "#operations/conversations/follow-reply.ts";
import { readReply } from "#operations/conversations/read-reply.ts";
import { resolveItems } from "#operations/conversations/resolve-items.ts";
import { resolveModel } from "#operations/conversations/runnable-models.ts";
import type { HttpContext, HttpWorkspace } from "../context.ts";
import { repeatableBy } from "./caller.ts";
import { replyPartOf } from "#protocols/openai/ids.ts";
import { keptSettings } from "./kept-settings.ts";
import { echoOf, responseFieldsWithoutEffect } from "#protocols/openai/response-request.ts";
import type { RequestEcho, ResponseRequest } from "#protocols/openai/response-request.ts";
import { imageWarnings, setWarnings } from "./warnings.ts";
import type { NamedModel } from "#domain/models/runnable-model.ts";
import type { ReplyPart } from "#protocols/openai/reply-event.ts";
import { NOTHING_SAID } from "#protocols/openai/reply.ts";
import type { Reply } from "#protocols/openai/reply.ts";

/** A request to Responses. */
export interface AskedResponse {
  readonly workspace: HttpWorkspace;
  readonly request: ResponseRequest;
  /** Until when the caller follows the response; undefined for one in the background. */
  readonly follows: AbortSignal | undefined;
}

/** A response that has begun. */
export interface BegunResponse extends BegunReply {
  readonly model: NamedModel;
  readonly echo: RequestEcho;
  /** Its state at its beginning, if the caller is sent it. */
  readonly opening: Reply | undefined;
}

/**
 * Starts or continues the run of a request: with function outputs, which continue a run, or a conversation. Warns about
 * what has no effect.
 * @throws AppError as the operations do.
 */
export async function startResponse(
  c: HttpContext,
  { workspace, request, follows }: AskedResponse,
): Promise<BegunResponse> {
  const clientTools = readClientTools(request);
  const asked = { clientTools, once: await repeatableBy(c), requestId: c.get("requestId") };
  const isPlain = request.previous_response_id == null && request.text?.format == null && isTextOnly(request.input);
  return beginReply(workspace, {
    follows,
    // Schemas are checked elsewhere, which may take a while.
    isOneTransaction: isPlain && clientTools.tools.length === 0,
    async begin(joined, taskId) {
      const model = await resolveModel(joined, request.model);
      const echo = echoOf(request, model);
      const part = await converseWith(c, { workspace: joined, request, echo, asked: { ...asked, model, taskId } });
      const isShown = request.stream === true && part.taskId === taskId;
      const opening = isShown ? await readReply(joined, { part, said: NOTHING_SAID }) : undefined;
      return { model, echo, part, opening };
    },
  });
}

interface ResponseRun extends Omit<AskedResponse, "follows"> {
  readonly echo: RequestEcho;
  readonly asked: RunRequest;
}

/** Passes a request on to its model. */
async function converseWith(c: HttpContext, { workspace, request, echo, asked }: ResponseRun): Promise<ReplyPart> {
  const { model } = asked;
  const wanted = {
    model,
    format: request.text?.format ?? undefined,
    effort: request.reasoning?.effort ?? undefined,
    effortPath: "reasoning.effort",
    summary: request.reasoning?.summary ?? undefined,
  };
  const without = responseFieldsWithoutEffect(workspace, request, model);
  const { input } = request;
  const results = continuingResults(input);
  const previous = request.previous_response_id == null ? undefined : replyPartOf(request.previous_response_id);
  const [first] = results;
  if (first !== undefined) {
    if (previous !== undefined && parseClientCallId(first.callId)?.taskId !== previous.taskId) {
      const message = `The response ${request.previous_response_id} did not make the call ${first.callId}.`;
      throw new AppError("bad_request", message);
    }
    const part = await converse(workspace, { ...asked, results });
    setWarnings(c, { without, others: await keptSettings(workspace, { ...wanted, part }) });
    return part;
  }
  const earlier = previous === undefined ? [] : await conversationOf(workspace, previous.taskId);
  const instructions = request.instructions ? [{ role: "user", content: request.instructions } as const] : [];
  const items = await resolveItems(workspace, input, (id) => replyPartOf(id, "msg_"));
  const messages = [...earlier, ...instructions, ...toConversation(items, "input")];
  const agent = await changesForRun(workspace, wanted);
  setWarnings(c, { without, others: imageWarnings(workspace, model, items) });
  const clientRequest = { agent, response: echo, stored: request.store ?? true };
  return converse(workspace, { ...asked, messages, clientRequest, metadata: request.metadata ?? {} });
}
