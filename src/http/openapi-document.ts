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

/** The server URL in the document, replaced by the service's own in responses. */
const LOCAL = "http://127.0.0.1:4400";

/**
 * Returns the OpenAPI 3.1 document of all described operations, with a local server URL, generated from the schemas
 * that validate requests. It takes half a second: `npm run gen` writes it to `openapi.json`, which the service sends.
 */
export function openApiDocument(app: Api["app"]): ReturnType<Api["app"]["getOpenAPI31Document"]> {
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
  return withPlainEnums(document);
}
