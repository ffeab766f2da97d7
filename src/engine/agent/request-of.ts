import { createHash } from "node:crypto";
import type { ModelMessage, ToolSpec } from "#domain/models/model-call.ts";
import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { READ_RESULT, createReadResult } from "../tools/read-result.ts";
import { describeTool, ownTools } from "../tools/tool-registry.ts";
import { ensureFallbackFits, fitToFallback } from "./fallback-fit.ts";
import { fitMessages } from "./fit-messages.ts";
import { keepOwnReasoning } from "./own-reasoning.ts";
import type { PreparedRequest } from "./prepared-request.ts";
import type { ModelRoute } from "../run/ports.ts";

/** What a turn asks of any model. */
export interface AskedTurn extends OfferedTools {
  readonly messages: readonly ModelMessage[];
  /** What the client offers for this call, such as tools. */
  readonly client: Pick<ClientTools, "tools" | "choice">;
  /** The maximum length of the reply in tokens, in place of the agent's. */
  readonly maxTokens?: number | undefined;
}

/** What is offered to a model beside the agent's own tools. */
export interface OfferedTools {
  readonly client: Pick<ClientTools, "tools">;
  /** Whether the model can read more of stored results. */
  readonly canRead: boolean;
}

/** Returns all tools that a model is offered, in an order that does not change. */
export async function offeredTools(
  engine: EngineServices,
  run: Run,
  { client, canRead }: OfferedTools,
): Promise<readonly ToolSpec[]> {
  const own = [...(await ownTools(engine, run)), ...run.tools];
  const isTaken = [...own, ...client.tools].some(({ name }) => name === READ_RESULT);
  const reader = canRead && !isTaken ? [createReadResult(engine, run)] : [];
  return [...[...own, ...reader].map(describeTool), ...client.tools].toSorted((a, b) =>
    a.name < b.name ? -1 : Number(a.name > b.name),
  );
}

/**
 * Prepares the request of a turn for one of the agent's models. Equal turns give equal bytes, so caches recognise them.
 * @throws ModelError when it cannot fit the window of a fallback model
 */
export async function requestOf(
  engine: EngineServices,
  run: Run,
  turn: AskedTurn & { readonly route: ModelRoute },
): Promise<PreparedRequest> {
  const { agent } = run.job;
  const { route, client, maxTokens = agent.max_tokens ?? undefined } = turn;
  const tools = await offeredTools(engine, run, turn);
  const fitting = fitToFallback(engine, run, { model: route.model, messages: turn.messages, tools });
  const seen = fitMessages(fitting, { model: route.model, sees: acceptsImages(engine, run, route) });
  const { messages, asked, leftOut } = keepOwnReasoning(seen, { ...route, tools });
  ensureFallbackFits(engine, run, { model: route.model, messages, tools });
  return {
    request: {
      messages,
      tools,
      ...(client.choice !== "auto" && { toolChoice: client.choice }),
      ...(agent.temperature !== null && { temperature: agent.temperature }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(agent.reasoning?.effort && { effort: agent.reasoning.effort }),
      ...(agent.reasoning?.show === true && { summary: agent.reasoning.summary ?? "auto" }),
      ...(agent.output_schema && { responseSchema: agent.output_schema }),
      ...(agent.prompt_caching !== false && { caching: { key: cacheKey(agent) } }),
    },
    asked,
    notes: [
      ...(fitting === turn.messages ? [] : [windowNote(route)]),
      ...(leftOut === 0 ? [] : [reasoningNote(leftOut)]),
    ],
  };
}

/** Whether the model accepts images; for a model outside the catalogue, the agent's config must say so. */
function acceptsImages({ catalogue }: EngineServices, { job }: Run, { model }: ModelRoute): boolean {
  return (
    catalogue.supportsImages(model) || (catalogue.find(model) === undefined && job.agent.config["vision"] === true)
  );
}

/** Runs of one agent's version begin with the same tools and system prompt. */
function cacheKey({ id, version = null, tools, system_prompt: prompt }: AgentSnapshot): string {
  const named =
    version ??
    createHash("sha256")
      .update(JSON.stringify([prompt, tools]))
      .digest("base64url")
      .slice(0, 16);
  return `${id}.${named}`;
}

function windowNote({ model }: ModelRoute): string {
  return `The conversation was shortened for ${model}, whose context window is smaller.`;
}

function reasoningNote(replies: number): string {
  const whose = replies === 1 ? "an earlier reply" : `${replies} earlier replies`;
  return `The reasoning of ${whose} was left out: it belongs to another model, prompt or set of tools.`;
}
