import type { Logger } from "pino";
import { NO_EMBEDDINGS, modelOf, spaceOf } from "#domain/models/embedding.ts";
import type { EmbeddingUse, Embeddings } from "#domain/models/embedding.ts";
import { ModelError } from "#domain/models/model-call.ts";
import type { BillingTarget } from "#domain/models/billing-target.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import { payForEmbedding } from "./pay-for-embedding.ts";
import type { EmbeddingAccounts } from "./pay-for-embedding.ts";
import { RunFailure } from "../run/run-failure.ts";
import type { ProviderDirectory, Embedder, TextsToEmbed } from "../run/ports.ts";

/** Embeddings are on by default if one of these providers has a key; the first one wins. */
const DEFAULTS: readonly string[] = ["openai/text-embedding-3-small", "google/gemini-embedding-001"];
/** A search waits at most this long for its query's vector, in milliseconds; then it uses full text alone. */
const QUESTION_TIMEOUT_MS = 5_000;

/** Dependencies of {@link createEmbedder}. */
export interface EmbedderOptions {
  readonly providers: ProviderDirectory;
  /** The instance's choice: `provider/model`, or `none`; undefined: the first provider with a key. */
  readonly embeddingModel: string | undefined;
  readonly accounts: EmbeddingAccounts;
  readonly log: Logger;
}

/** Creates the embedder of a process. */
export function createEmbedder({ providers, embeddingModel, accounts, log }: EmbedderOptions): Embedder {
  async function embed(
    payer: BillingTarget,
    { model: of, texts, signal }: TextsToEmbed,
    use: EmbeddingUse,
  ): Promise<Embeddings> {
    const route = await providers.route(payer.workspaceId, of);
    const { client, model } = route;
    const { embed: send } = client;
    if (send === undefined) throw new ModelError("model", `The provider ${of.provider} embeds no texts.`);
    const make = () => send({ model, texts, use, signal });
    return payForEmbedding(accounts, payer, { route, texts, signal, make });
  }

  async function hasKey(workspaceId: string, name: string): Promise<boolean> {
    try {
      await providers.route(workspaceId, modelOf(name));
      return true;
    } catch (error) {
      if (error instanceof RunFailure) return false;
      throw error;
    }
  }

  return {
    async modelFor(workspaceId, chosen) {
      const name = chosen ?? embeddingModel;
      if (name === NO_EMBEDDINGS) return undefined;
      if (name !== undefined) return modelOf(name);
      for (const known of DEFAULTS) if (await hasKey(workspaceId, known)) return modelOf(known);
      return undefined;
    },
    embedPassages: (payer, passages) => embed(payer, passages, "passage"),
    async embedQuestion(payer, { space, question, signal }) {
      const limit = startTimeLimit(QUESTION_TIMEOUT_MS, signal);
      const model = modelOf(space);
      try {
        const asked = { model, texts: [question], signal: limit.signal };
        const [vector] = (await embed({ ...payer, step: `${payer.step}/${space}` }, asked, "question")).vectors;
        if (vector !== undefined && spaceOf(model, vector.length) === space) return { vector };
        return { missing: `${space}: its vectors have another length now` };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ModelError || error instanceof RunFailure)) throw error;
        const { workspaceId } = payer;
        log.warn({ workspaceId, space, err: error }, "could not embed a question; it was searched for by its words");
        const why = limit.isOver() ? `no answer within ${QUESTION_TIMEOUT_MS / 1_000} s` : error.message;
        return { missing: `${model.provider}/${model.model}: ${why}` };
      } finally {
        limit.clear();
      }
    },
  };
}
