import type { ModelRequest } from "#domain/models/model-call.ts";
import type { FittedRequest } from "./fit-request.ts";
import { mapSchema } from "./map-schema.ts";
import type { Schema } from "./map-schema.ts";

/** "If a schema node has $ref set, then only description and default can be set alongside it". */
const BESIDE_REFERENCE: ReadonlySet<string> = new Set(["$ref", "description", "default"]);

/** Leaves out what Google rejects beside a reference, such as its title; the service checks by the original schema. */
export function isolateReferences(request: ModelRequest): FittedRequest {
  const { tools, responseSchema } = request;
  return {
    request: {
      ...request,
      tools: tools.map((tool) => ({ ...tool, inputSchema: mapSchema(tool.inputSchema, withLoneReference) })),
      ...(responseSchema && { responseSchema: mapSchema(responseSchema, withLoneReference) }),
    },
    notes: [],
  };
}

function withLoneReference(part: Schema): Schema {
  if (!("$ref" in part)) return part;
  return Object.fromEntries(Object.entries(part).filter(([keyword]) => BESIDE_REFERENCE.has(keyword)));
}
