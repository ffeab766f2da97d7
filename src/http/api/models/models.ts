import { z } from "zod";
import { CONNECTION_FIELDS } from "#domain/models/connection-fields.ts";
import { REASONING_EFFORTS } from "#domain/models/model-catalogue.ts";
import { TEMPERATURE_USES, listCatalogue } from "#operations/models/list-models.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const usability = {
  usable: z.boolean().describe("Whether the workspace can call it now."),
  unusable_reason: z.string().nullable().describe("Why not, and what to add."),
};
const price = z.number().nullable().describe("USD per million tokens; null: no price is known.");

const catalogue = z
  .strictObject({
    providers: z.array(
      z.strictObject({
        id: z.string(),
        label: z.string(),
        any_model: z.boolean().describe("Whether it accepts any model id, also one that is not in the catalogue."),
        also_serves: z.array(z.string()).describe("The providers whose models it serves, too, under the same ids."),
        key_help: z.string().nullable().describe("What its key is; null: an API key."),
        fields: z
          .array(z.strictObject({ name: z.enum(CONNECTION_FIELDS), help: z.string() }))
          .describe("What a connection to it has besides a key and a base URL."),
        ...usability,
      }),
    ),
    models: z.array(
      z.strictObject({
        id: z.string(),
        label: z.string(),
        provider: z.string(),
        prompt_price: price,
        cached_price: price.describe("Of prompt tokens that are read from the provider's cache."),
        cache_write_price: price.describe("Of prompt tokens that are written to the provider's cache."),
        completion_price: price,
        reasoning_price: price.describe("Of the reply's tokens that are reasoning."),
        context_window: z.int().describe("Tokens."),
        max_output: z.int().nullable().describe("The maximum number of output tokens; null: no limit is known."),
        efforts: z
          .array(z.enum(REASONING_EFFORTS))
          .describe("The reasoning efforts that it accepts; []: not adjustable."),
        temperature: z
          .enum(TEMPERATURE_USES)
          .describe("Whether it accepts a temperature, or only with the effort none."),
        forced_tools: z.boolean().describe("Whether it can be made to call a tool."),
        images: z.boolean().describe("Whether it accepts images."),
        documents: z.boolean().describe("Whether it accepts PDF documents."),
        structured_output: z.boolean().describe("Whether its provider holds it to a JSON Schema."),
        ...usability,
      }),
    ),
  })
  .meta({ id: "ModelCatalogue" });

/** Adds /console/api/models: the models with prices, and whether the workspace can call them. */
export default function addModels(api: Api): void {
  addPath(api, "/console/api/models", { tag: "Models", endpoints: [list] });
}

const list = endpoint({
  method: "get",
  operationId: "listModels",
  summary: "List the model providers and models of the catalogue, with whether you can use them",
  success: { status: 200, schema: catalogue },
  handle: async ({ c, workspace }) => respondValue(c, await listCatalogue(workspace)),
});
