import { createHash } from "node:crypto";
import { z } from "zod";
import type { HttpContext } from "./context.ts";
import { readQuery } from "./middleware/read-body.ts";
import { originOf } from "./middleware/origin.ts";
import type { Api } from "./api/shape/route.ts";
import { describeNow } from "./api/shape/describe-later.ts";
import { inVersion } from "./api/shape/in-version.ts";
import { TAGS } from "./api/shape/tags.ts";

const DESCRIPTION = `
Agents, tasks, teams and everything around them. Under /functions/v1, /files and /console/api/knowledge answers come in
two versions. Without \`X-API-Version\` they are bare data; with \`X-API-Version: 2\` they are \`{data, meta}\`, and lists
\`{items, next_cursor, has_more}\` in \`data\`. Elsewhere data is bare. Errors have one form in both versions.

This document describes both versions. For generators that handle alternatives badly, \`/openapi.json?api_version=1\`
and \`?api_version=2\` describe one.`.trim();

/** The server URL in the document, replaced by the service's own in responses. */
const LOCAL = "http://127.0.0.1:4400";
const servedQuery = z.strictObject({ api_version: z.enum(["1", "2"]).optional() });

/**
 * Serves the OpenAPI 3.1 document of the REST surfaces, generated from the schemas that validate requests.
 * `?api_version=` narrows it to one version. Each document is generated once, at the first request; only its server URL
 * depends on the request.
 */
export function openApi(api: Api): (c: HttpContext) => Response {
  const made = new Map<string | undefined, string>();
  return (c) => {
    const { api_version: version } = readQuery(c, servedQuery);
    const text = made.get(version) ?? JSON.stringify(documentOf(api, version));
    made.set(version, text);
    const servers = JSON.stringify([{ url: originOf(c, api.services) }]);
    const etag = etagOf(text, servers);
    const headers = { "Cache-Control": "no-cache", ETag: etag };
    if (c.req.header("If-None-Match")?.split(/,\s*/).includes(etag) === true) return c.body(null, 304, headers);
    const body = `${text.slice(0, -1)},"servers":${servers}}`;
    return c.body(body, 200, { ...headers, "Content-Type": "application/json" });
  };
}

function documentOf({ app }: Api, version: "1" | "2" | undefined): object {
  const { servers: _, ...document } = openApiDocument(app);
  return version === undefined ? document : inVersion(document, version);
}

function etagOf(...parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  // Weak, because a compressed document has other bytes.
  return `W/"${hash.digest("base64url")}"`;
}

/** Returns the document of all described operations, with a local server URL. */
export function openApiDocument(app: Api["app"]): ReturnType<Api["app"]["getOpenAPI31Document"]> {
  describeNow(app.openAPIRegistry);
  return app.getOpenAPI31Document({
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
}
