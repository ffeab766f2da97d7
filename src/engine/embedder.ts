import type { Logger } from "pino";
import { NO_EMBEDDINGS, modelOf, spaceOf } from "#domain/embedding.ts";
import type { EmbeddingModel, EmbeddingRequest, Embeddings } from "#domain/embedding.ts";
import { ModelError } from "#domain/model-call.ts";
import type { BillingModel } from "#domain/model-call.ts";
import { startTimeLimit } from "#lib/time-limit.ts";
import type { QuestionEmbedder } from "#operations/rank-passages.ts";
import type { ProviderDirectory } from "./provider-directory.ts";
import { RunFailure } from "./run-failure.ts";

/** Whoever has a key for one of these gets embeddings without asking; the first that there is a key for. */
const DEFAULTS: readonly string[] = ["openai/text-embedding-3-small", "google/gemini-embedding-001"];
/** A search does not wait longer for a question's vector, in milliseconds; it then goes by words. */
const QUESTION_TIMEOUT_MS = 5_000;

/** Embeds what is searched and what is searched for. */
export interface Embedder extends QuestionEmbedder {
  /**
   * The model that new passages of a workspace are embedded with; undefined when they are not.
   * @param chosen `provider/model`, or `none`; null leaves it to the instance
   */
  modelFor(workspaceId: string, chosen: string | null): Promise<EmbeddingModel | undefined>;
  /**
   * Embeds passages, once.
   * @throws ModelError when the vendor refuses or cannot be reached.
   * @throws RunFailure `PROVIDER_NOT_CONFIGURED`.
   */
  embedPassages(
    workspaceId: string,
    request: Omit<EmbeddingRequest, "use" | "model"> & { readonly model: EmbeddingModel },
  ): Promise<Embeddings & { readonly billing: BillingModel }>;
}

/** What {@link createEmbedder} needs. */
export interface EmbedderOptions {
  readonly providers: ProviderDirectory;
  /** The instance's choice: `provider/model`, or `none`; undefined: what there is a key for. */
  readonly embeddingModel: string | undefined;
  readonly log: Logger;
}

/** Makes the embedder of a process. */
export function createEmbedder({ providers, embeddingModel, log }: EmbedderOptions): Embedder {
  async function embed(workspaceId: string, { model: of, ...request }: Parameters<Embedder["embedPassages"]>[1] & Use) {
    const { client, model, billing } = await providers.route(workspaceId, of);
    if (client.embed === undefined) throw new ModelError("model", `The provider ${of.provider} embeds no texts.`);
    return { ...(await client.embed({ ...request, model })), billing };
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
    embedPassages: (workspaceId, request) => embed(workspaceId, { ...request, use: "passage" }),
    async embedQuestion(workspaceId, { space, question, signal }) {
      const limit = startTimeLimit(QUESTION_TIMEOUT_MS, signal);
      const model = modelOf(space);
      try {
        const asked = { model, texts: [question], use: "question", signal: limit.signal } as const;
        const [vector] = (await embed(workspaceId, asked)).vectors;
        return vector !== undefined && spaceOf(model, vector.length) === space ? vector : undefined;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ModelError || error instanceof RunFailure)) throw error;
        log.warn({ workspaceId, space, err: error }, "could not embed a question; it was searched for by its words");
        return undefined;
      } finally {
        limit.clear();
      }
    },
  };
}

type Use = Pick<EmbeddingRequest, "use">;
