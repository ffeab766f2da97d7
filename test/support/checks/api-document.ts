import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { openApiDocument } from "#http/openapi-document.ts";
import { appWithoutServices } from "./served-routes.ts";

/** What each operation answered once, as bare data, by its id: recorded by the test beside it. */
export const RESPONSE_EXAMPLES = join(import.meta.dirname, "../../contract/api/response-examples.json");

const examples = z.record(z.string(), z.unknown());

/** The recorded examples of responses by operation. */
export function responseExamples(): Readonly<Record<string, unknown>> {
  return examples.parse(JSON.parse(readFileSync(RESPONSE_EXAMPLES, "utf8")));
}

/** The OpenAPI document of all operations, with an example of each response: what `npm run gen` writes to openapi.json. */
export function apiDocument(): ReturnType<typeof openApiDocument> {
  const recorded = responseExamples();
  // The function of the table API answers as the API does.
  return openApiDocument(appWithoutServices(), { ...recorded, callFunction: recorded["installMarketplaceAgent"] });
}
