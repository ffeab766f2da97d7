import { z } from "zod";
import { responseText } from "./format.ts";
import { responseInput } from "./messages.ts";
import { responseTools } from "./tools.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import { effort, metadata, summary, unsupportedInResponses } from "./request-fields.ts";
import type { NamedModel } from "#domain/models/runnable-model.ts";
import { fieldsWithoutEffect } from "./fields-without-effect.ts";

/** The body of a request to Responses. */
export const responseRequest = z.looseObject({
  model: z.string().min(1),
  input: responseInput,
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.unknown().optional(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish(),
  text: responseText,
  reasoning: z.looseObject({ effort: effort.nullish(), summary: summary.nullish() }).nullish(),
  metadata,
  ...responseTools,
  ...unsupportedInResponses,
});

/** See {@link responseRequest}. */
export type ResponseRequest = z.output<typeof responseRequest>;

/** Labels of the client without effect, which a response repeats. */
const labels = z.looseObject({
  user: z.string().nullable().catch(null).default(null),
  safety_identifier: z.string().nullable().catch(null).default(null),
  prompt_cache_key: z.string().nullable().catch(null).default(null),
});

/** The fields of a response that say how it was made. */
export type RequestEcho = Readonly<Record<string, unknown>>;

/** The fields of a response to a request of another surface, of which nothing is known. */
export const NO_ECHO: RequestEcho = {
  previous_response_id: null,
  instructions: null,
  tools: [],
  tool_choice: "auto",
  parallel_tool_calls: true,
  text: { format: { type: "text" } },
  reasoning: null,
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  max_output_tokens: null,
  max_tool_calls: null,
  truncation: "disabled",
  store: true,
  background: false,
  service_tier: "default",
  user: null,
  safety_identifier: null,
  prompt_cache_key: null,
};

/** Returns what a response repeats of its request, with the values that apply: mostly the agent's own settings. */
export function echoOf(request: ResponseRequest, { settings }: NamedModel): RequestEcho {
  const { user, safety_identifier, prompt_cache_key } = labels.parse(request);
  return {
    ...NO_ECHO,
    previous_response_id: request.previous_response_id ?? null,
    instructions: request.instructions ?? null,
    tools: (request.tools ?? []).map(({ name, description, inputSchema: parameters }) => {
      return { type: "function", name, description: description === "" ? null : description, parameters, strict: null };
    }),
    tool_choice: choiceOf(request),
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    text: { format: request.text?.format?.echo ?? { type: "text" } },
    reasoning: settings && {
      effort: request.reasoning?.effort ?? settings.reasoning.effort,
      summary: settings.reasoning.show ? (request.reasoning?.summary ?? "auto") : null,
    },
    temperature: settings?.temperature ?? 1,
    max_output_tokens: settings?.max_tokens ?? null,
    store: request.store ?? true,
    background: request.background ?? false,
    user,
    safety_identifier,
    prompt_cache_key,
  };
}

function choiceOf({ tool_choice: choice }: ResponseRequest) {
  if (choice == null || typeof choice === "string") return choice ?? "auto";
  if ("name" in choice) return { type: "function", name: choice.name };
  const tools = choice.tools.map(({ name }) => ({ type: "function", name }));
  return { type: "allowed_tools", mode: choice.mode, tools };
}

/** Returns the parameters of a request that have no effect. */
export function responseFieldsWithoutEffect(
  { catalogue }: { readonly catalogue: ModelCatalogue },
  request: ResponseRequest,
  model: NamedModel,
): readonly string[] {
  const without = fieldsWithoutEffect(request, { read: responseRequest.shape, model });
  const { settings } = model;
  const wanted = request.reasoning?.summary ?? undefined;
  const isShown = settings?.reasoning.show === true;
  const isObeyed = isShown && (wanted === "auto" || catalogue.hasSummaryLengths(settings.provider));
  const included = (request.include ?? []).map((field) => `include ${field}`);
  return [
    ...without,
    ...included,
    ...(request.text?.["verbosity"] == null ? [] : ["text.verbosity"]),
    ...(wanted === undefined || isObeyed ? [] : ["reasoning.summary"]),
  ];
}
