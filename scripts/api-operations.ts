import { z } from "zod";

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
/** Other protocols, and streams, for which clients have better means. */
const LEFT_OUT = ["/rest/v1/", "/ag-ui/", "/console/api/live"] as const;
/** A page for people, to which Google redirects their browsers. */
const PAGE = "receiveGoogleConsent";

const parameter = z.looseObject({
  $ref: z.string().optional(),
  name: z.string().optional(),
  in: z.string().optional(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: z.unknown().optional(),
});
const contents = z.record(z.string(), z.looseObject({ schema: z.unknown().optional() }));
const operationShape = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  parameters: z.array(parameter).default([]),
  requestBody: z.looseObject({ required: z.boolean().optional(), content: contents }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: contents.optional() })),
  "x-reads-one-as": z.string().optional(),
  "x-instead": z.object({ when: z.string(), as: z.string(), summary: z.string() }).optional(),
});
const documentShape = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** A parameter of an operation in the path or the query. */
export type ApiParameter = z.output<typeof parameter>;

/** An operation of the OpenAPI document. */
export type ApiOperation = z.output<typeof operationShape> & { readonly path: string; readonly method: string };

/** The operations of the OpenAPI document for which clients have a method, by the names of their modules: a module for each tag. */
export function apiOperations(document: object): ReadonlyMap<string, readonly ApiOperation[]> {
  const operations = Object.entries(documentShape.parse(document).paths)
    .flatMap(([path, methods]) =>
      METHODS.flatMap((method) => {
        const described = methods[method];
        return described === undefined ? [] : [{ ...operationShape.parse(described), path, method }];
      }),
    )
    .filter(({ path, operationId }) => operationId !== PAGE && !LEFT_OUT.some((start) => path.startsWith(start)));
  return Map.groupBy(operations, ({ tags: [tag = ""] }) => tag.toLowerCase().replaceAll(" ", "-"));
}

/** The parameters in the path and the query. */
export function placedParameters({ parameters }: ApiOperation): readonly ApiParameter[] {
  return parameters.filter((each) => each.in === "path" || each.in === "query");
}

/**
 * Divides an operation whose query decides what it does: without that parameter, and with it in the path. Each has a
 * method of its own, since they return different things.
 */
export function separated(
  operation: ApiOperation,
  { when }: { readonly when: string },
): readonly [ApiOperation, ApiOperation] {
  const parameters = operation.parameters.filter(({ name }) => name !== when);
  const { 200: other, ...created } = operation.responses;
  return [
    { ...operation, parameters, responses: created },
    { ...operation, parameters, path: `${operation.path}?${when}=true`, responses: other ? { 200: other } : {} },
  ];
}

/** Whether the operation takes an `Idempotency-Key`. */
export function isRepeatable({ parameters }: ApiOperation): boolean {
  return parameters.some(({ $ref }) => $ref?.endsWith("/IdempotencyKey"));
}

/** Whether the operation lists records in pages. */
export function isList({ parameters }: ApiOperation): boolean {
  return parameters.some((each) => each.in === "query" && each.name === "cursor");
}
