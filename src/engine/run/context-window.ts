import { windowOf } from "#domain/agents/agent.ts";
import type { EngineServices, Run } from "./run-context.ts";

/** The bytes of a result that count as a token: texts of tools are dense. */
const RESULT_BYTES_PER_TOKEN = 2;
/** The part of the window that one result may fill. */
const MAX_RESULT_SHARE = 1 / 4;

/**
 * Returns the context window of one of an agent's models in tokens: the one in its config or the catalogue, whichever
 * is smaller; for other models, that of the settings.
 */
function contextWindow(engine: EngineServices, run: Run, model = run.job.agent.model): number {
  return knownWindow(engine, run, model) ?? engine.limits.modelWindow;
}

/** Returns the context window of one of an agent's models in tokens; undefined if neither config nor catalogue knows it. */
export function knownWindow({ catalogue }: EngineServices, { job: { agent } }: Run, model: string): number | undefined {
  const stated = [windowOf(agent.config), catalogue.find(model)?.contextWindow].filter((size) => size !== undefined);
  return stated.length === 0 ? undefined : Math.min(...stated);
}

/**
 * Returns how many tokens a prompt may have before older turns are summarised; the reply needs room as well.
 * @param model one of the agent's models; its first one by default
 */
export function promptRoom(engine: EngineServices, run: Run, model?: string): number {
  const window = contextWindow(engine, run, model);
  const beside = window - (run.job.agent.max_tokens ?? 0);
  return Math.floor(Math.min(window * engine.limits.summaryShare, Math.max(beside, window / 4)));
}

/** Returns how many characters of a tool's result the model is shown. */
export function maxResultLength(engine: EngineServices, run: Run): number {
  return Math.min(
    engine.limits.maxResultCharacters,
    Math.floor(contextWindow(engine, run) * MAX_RESULT_SHARE * RESULT_BYTES_PER_TOKEN),
  );
}
