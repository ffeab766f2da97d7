import { createHash } from "node:crypto";
import type { HttpContext } from "./context.ts";
import { originOf } from "./middleware/origin.ts";
import type { Api } from "./api/shape/route.ts";
import { TAGS } from "./api/shape/tags.ts";

const DESCRIPTION = `
Agents, tasks and who you are. Without \`X-API-Version\` answers are bare data; with
\`X-API-Version: 2\` they are \`{data, meta}\`, and lists \`{items, next_cursor, has_more}\` in \`data\`.
The schemas show bare data. Errors have the same form in both versions.`.trim();

/**
 * Answers with the OpenAPI 3.1 document of the REST surfaces, made from the same schemas that check requests. It is
 * made once, at the first request, since that takes long; only the service's URL in it depends on the request.
 */
export function openApi(api: Api): (c: HttpContext) => Response {
  let made: string | undefined;
  return (c) => {
    made ??= JSON.stringify(openApiDocument(api.app));
    const servers = JSON.stringify([{ url: originOf(c, api.services) }]);
    const etag = etagOf(made, servers);
    const headers = { "Cache-Control": "no-cache", ETag: etag };
    if (c.req.header("If-None-Match")?.split(/,\s*/).includes(etag) === true) return c.body(null, 304, headers);
    const body = `${made.slice(0, -1)},"servers":${servers}}`;
    return c.body(body, 200, { ...headers, "Content-Type": "application/json" });
  };
}

function etagOf(...parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return `"${hash.digest("base64url")}"`;
}

/** The document of everything that this application has described, without the URL of the service. */
export function openApiDocument(app: Api["app"]): ReturnType<Api["app"]["getOpenAPI31Document"]> {
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Muster",
      version: "1",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  });
}
