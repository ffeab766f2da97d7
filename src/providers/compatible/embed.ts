import { z } from "zod";
import type { EmbeddingCall } from "../ai-sdk/embed-texts.ts";
import { post } from "./post.ts";
import type { Endpoint } from "./post.ts";

const embeddings = z.object({
  data: z.array(z.object({ embedding: z.array(z.number()) })),
  usage: z.object({ prompt_tokens: z.coerce.number() }).nullish().catch(undefined),
});

/** An endpoint's embedding model, by OpenAI's `/embeddings`. */
export function embeddingModel(endpoint: Endpoint, model: string): EmbeddingCall["model"] {
  return {
    async doEmbed({ values, abortSignal }) {
      const body = { model, input: values, encoding_format: "float" };
      const signal = abortSignal ?? new AbortController().signal;
      const response = await post(endpoint, { path: "/embeddings", body, signal });
      const { data, usage } = embeddings.parse(await response.json());
      return {
        embeddings: data.map(({ embedding }) => embedding),
        ...(usage != null && { usage: { tokens: usage.prompt_tokens } }),
        warnings: [],
      };
    },
  };
}
