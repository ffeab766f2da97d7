import { isRecord } from "#lib/is-record.ts";
import type { Api } from "./api/shape/route.ts";
import { describeNow } from "./api/shape/describe-later.ts";
import { withPlainEnums } from "./api/shape/plain-enums.ts";
import { TAGS } from "./api/shape/tags.ts";

const DESCRIPTION = `
Agents, tasks, teams and everything around them. Under /functions/v1, /files and /console/api/knowledge answers come in
two versions. Without \`X-API-Version\` they are bare data; with \`X-API-Version: 2\` they are \`{data, meta}\`, and lists
\`{items, next_cursor, has_more}\` in \`data\`. Elsewhere data is bare. Errors have one form in both versions.

This document describes both versions. For generators that handle alternatives badly, \`/openapi.json?api_version=1\`
and \`?api_version=2\` describe one.`.trim();

type Document = ReturnType<Api["app"]["getOpenAPI31Document"]>;

/** The server URL in the document, replaced by the service's own in responses. */
const LOCAL = "http://127.0.0.1:4400";

/**
 * Returns the OpenAPI 3.1 document of all described operations, with a local server URL, generated from the schemas
 * that validate requests. It takes half a second: `npm run gen` writes it to `openapi.json`, which the service sends.
 * @param examples what operations answered once, as bare data, by their ids
 */
export function openApiDocument(app: Api["app"], examples: Readonly<Record<string, unknown>>): Document {
  describeNow(app.openAPIRegistry);
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Muster",
      version: "1",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      contact: { name: "The operator of the service" },
    },
    servers: [{ url: LOCAL }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  });
  addExamples(document, examples);
  return withPlainEnums(document);
}

/** Puts the example of each operation beside the schema of its response. */
function addExamples({ paths = {} }: Document, examples: Readonly<Record<string, unknown>>): void {
  const operations = Object.values(paths).flatMap((path) => [path.get, path.post, path.put, path.patch, path.delete]);
  for (const operation of operations) {
    const { operationId = "", responses = {}, "x-instead": instead } = operation ?? {};
    for (const [status, { content = {} }] of Object.entries(responses)) {
      // An operation that answers with something else when it is asked to does so with 200.
      const name = status === "200" && isRecord(instead) ? String(instead["as"]) : operationId;
      const example = examples[name];
      if (example === undefined || !status.startsWith("2")) continue;
      for (const [type, media] of Object.entries(content)) if (isRecord(media)) content[type] = { example, ...media };
    }
  }
}
