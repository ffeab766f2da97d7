import { z } from "zod";
import type { ModelMessage } from "#domain/models/model-call.ts";
import { estimatePromptTokens } from "#domain/models/prompt-tokens.ts";
import { modelKey, summaryKey } from "#domain/runs/step-key.ts";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { promptRoom } from "../run/context-window.ts";
import { countOlder, endOfReplies, taskOf } from "./older-turns.ts";
import type { OpeningMessages } from "./prompt.ts";
import { createPromptMeter } from "./prompt-meter.ts";
import type { CountedPrompt } from "./prompt-meter.ts";
import { offeredTools } from "./request-of.ts";
import type { ModelReply } from "./stream-reply.ts";
import { summarize, withSummary } from "./summarize.ts";

/** The newest messages that stay as they are, as a share of the room for a prompt. */
const NEWEST_SHARE = 1 / 4;
/** Older turns that are a smaller share are not worth a summary. */
const MIN_OLDER_SHARE = 1 / 8;

/** Keeps the prompts of a run within the context window of its model. */
export interface WindowFit {
  /**
   * Returns the messages for a model call, and the replies of the summaries among them; or the question of a budget.
   * @throws RunFailure when no model answers a summary's call
   */
  fit(turn: number, messages: readonly ModelMessage[]): Promise<FittedConversation | OpenQuestion>;
  /** Tells it what a model's provider counted for the messages that it was sent. */
  counted(prompt: CountedPrompt): void;
}

/** A conversation that fits, and what its summaries cost. */
export interface FittedConversation {
  readonly messages: readonly ModelMessage[];
  readonly summaries: readonly ModelReply[];
}

/**
 * Creates the fit of a run. When the estimated prompt of a call passes its share of the window, the older turns are
 * replaced by a summary, or by several if they are too long for one. Each is a recorded step, so that resumed
 * executions and forks have the same.
 */
export function createWindowFit(
  engine: EngineServices,
  run: Run,
  { messages: opening, counted, client }: OpeningMessages & { readonly client: Pick<ClientTools, "tools"> },
): WindowFit {
  const { budgetBytesPerToken } = engine.limits;
  const meter = createPromptMeter(budgetBytesPerToken);
  let tools: Promise<number> | undefined;
  const toolTokens = () => (tools ??= tokensOfTools(engine, run, client));
  // What the agent was asked for last stays as it is.
  const task = taskOf(opening);
  let last = counted;

  /** The number of replies to summarise; 0 when the prompt is short enough. */
  async function olderReplies(messages: readonly ModelMessage[], room: number): Promise<number> {
    const others = await toolTokens();
    if (last !== undefined) meter.counted(last, others);
    last = undefined;
    if (meter.total(messages, others) <= room) return 0;
    const older = countOlder(messages, { tokens: room * NEWEST_SHARE, sizeOf: meter.sizeOf });
    const size = messages.slice(1, endOfReplies(messages, older)).reduce((sum, each) => sum + meter.sizeOf(each), 0);
    return size < room * MIN_OLDER_SHARE ? 0 : older;
  }

  return {
    counted(prompt) {
      if (prompt.tokens > 0) last = prompt;
    },
    async fit(turn, given) {
      if (!given.some(({ role }) => role === "assistant")) return { messages: given, summaries: [] };
      const room = promptRoom(engine, run);
      const wasMade = (key: string) => run.recall(key, z.unknown()) !== undefined;
      // A call that was made before was sent what is recorded before it.
      const isMade = wasMade(modelKey(undefined, turn));
      const summaries: ModelReply[] = [];
      let messages = given;
      for (;;) {
        const key = summaryKey(turn, summaries.length);
        const older = isMade || wasMade(key) ? 0 : await olderReplies(messages, room);
        if (older === 0 && !wasMade(key)) return { messages, summaries };
        const made = await summarize(engine, run, { key, turn, messages, older, room });
        if ("question" in made) return made;
        if (made.reply.takenOver === undefined) await announce(run, key);
        summaries.push(made.reply);
        messages = withSummary(messages, made, task);
      }
    },
  };
}

/** Informs stream readers, once. */
function announce(run: Run, key: string): Promise<void> {
  const step = run.turnKey === undefined ? key : `${run.turnKey}/${key}`;
  const message = "The conversation became long: a summary is in the place of its older turns.";
  return run.emit({ type: "CUSTOM", name: "turns_summarized", value: { step, message } }, key);
}

async function tokensOfTools(engine: EngineServices, run: Run, client: Pick<ClientTools, "tools">): Promise<number> {
  const tools = await offeredTools(engine, run, { client, canRead: false });
  return estimatePromptTokens({ messages: [], tools }, engine.limits.budgetBytesPerToken);
}
