import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { HttpContext, HttpServices } from "./context.ts";
import { readQuery } from "./middleware/read-body.ts";
import { originOf } from "./middleware/origin.ts";
import { inVersion } from "./api/shape/in-version.ts";

/** Written by `npm run gen` (openapi-document.ts). */
const FILE = join(import.meta.dirname, "../../openapi.json");
const servedQuery = z.strictObject({ api_version: z.enum(["1", "2"]).optional() });
type Version = z.output<typeof servedQuery>["api_version"];

/**
 * Serves the OpenAPI 3.1 document of the REST surfaces. `?api_version=` narrows it to one version. The file is read
 * once for each version, at its first request. Only the server URL depends on the request.
 */
export function openApi(services: Pick<HttpServices, "publicUrl">): (c: HttpContext) => Response {
  const read = new Map<Version, string>();
  return (c) => {
    const { api_version: version } = readQuery(c, servedQuery);
    const text = read.get(version) ?? documentText(version);
    read.set(version, text);
    const servers = JSON.stringify([{ url: originOf(c, services) }]);
    const etag = etagOf(text, servers);
    const headers = { "Cache-Control": "no-cache", ETag: etag };
    const known = c.req.header("If-None-Match")?.split(/,\s*/) ?? [];
    if (known.includes(etag) || known.includes("*")) return c.body(null, 304, headers);
    const body = `${text.slice(0, -1)},"servers":${servers}}`;
    return c.body(body, 200, { ...headers, "Content-Type": "application/json" });
  };
}

/** The document without server URLs. */
function documentText(version: Version): string {
  const { servers: _, ...document } = documentShape.parse(JSON.parse(readFileSync(FILE, "utf8")));
  return JSON.stringify(version === undefined ? document : inVersion(document, version));
}

const documentShape = z.looseObject({ servers: z.unknown() });

function etagOf(...parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  // Weak, because a compressed document has other bytes.
  return `W/"${hash.digest("base64url")}"`;
}
