import type { ModelRequest } from "#domain/models/model-call.ts";
import type { ModelCapabilities } from "#domain/models/model-catalogue.ts";
import type { FittedRequest } from "./fit-request.ts";

/** Leaves out the temperature where the model rejects it. */
export function fitTemperature(request: ModelRequest, { temperature }: ModelCapabilities): FittedRequest {
  const isAccepted = temperature === undefined || (temperature === "with-effort-none" && request.effort === "none");
  if (request.temperature === undefined || isAccepted) return { request, notes: [] };
  const { temperature: _, ...rest } = request;
  return { request: rest, notes: [`temperature was not sent: ${request.model} does not take one.`] };
}

/** Leaves out an effort that the model does not know. */
export function fitEffort(request: ModelRequest, { efforts }: ModelCapabilities): FittedRequest {
  if (request.effort === undefined || efforts === undefined || efforts.includes(request.effort)) {
    return { request, notes: [] };
  }
  const { effort, ...rest } = request;
  const allowed = efforts.length === 0 ? "has no adjustable reasoning" : `takes ${efforts.join(", ")}`;
  return { request: rest, notes: [`The reasoning effort ${effort} was not sent: ${request.model} ${allowed}.`] };
}

/** Limits the reply to what the model can write. */
export function fitMaxTokens(request: ModelRequest, { maxOutput }: ModelCapabilities): FittedRequest {
  if (request.maxTokens === undefined || maxOutput === undefined || request.maxTokens <= maxOutput) {
    return { request, notes: [] };
  }
  const note = `max_tokens was lowered from ${request.maxTokens} to ${maxOutput}, the most that ${request.model} writes.`;
  return { request: { ...request, maxTokens: maxOutput }, notes: [note] };
}

/** Lets the model choose where it cannot be forced to use a tool. */
export function fitToolChoice(request: ModelRequest, { forcedTools }: ModelCapabilities): FittedRequest {
  if (forcedTools !== false || request.toolChoice === undefined || request.toolChoice === "auto") {
    return { request, notes: [] };
  }
  const { toolChoice: _, ...rest } = request;
  return { request: rest, notes: [`The tool choice was not sent: ${request.model} cannot be forced to use a tool.`] };
}
