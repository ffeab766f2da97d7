import { z } from "zod";

/** The form of a result that a request asks for: JSON that satisfies a JSON Schema. */
export interface AskedFormat {
  readonly schema: Readonly<Record<string, unknown>>;
  /** The field of the request that contains the schema. */
  readonly path: string;
  /** The format as a response repeats it. */
  readonly echo: Readonly<Record<string, unknown>>;
}

const ANY_OBJECT = { type: "object" } as const;
const error = { error: "type must be text, json_object or json_schema" };

const schemaFields = {
  name: z.string().min(1).max(64),
  description: z.string().nullish(),
  schema: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
};
type SchemaFields = z.output<z.ZodObject<typeof schemaFields>>;

function formatOf({ name, description, schema, strict }: SchemaFields, path: string): AskedFormat {
  const wanted = schema ?? ANY_OBJECT;
  const echo = { type: "json_schema", name, description: description ?? null, schema: wanted, strict: strict ?? false };
  return { schema: wanted, path, echo };
}

const plain = z.looseObject({ type: z.literal("text") }).transform(() => undefined);
const anyJson = z.looseObject({ type: z.literal("json_object") });
const asAnyObject = (path: string) => (): AskedFormat => ({ schema: ANY_OBJECT, path, echo: { type: "json_object" } });

/** `response_format` of Chat Completions. */
export const chatFormat = z
  .discriminatedUnion(
    "type",
    [
      plain,
      anyJson.transform(asAnyObject("response_format")),
      z
        .looseObject({ type: z.literal("json_schema"), json_schema: z.looseObject(schemaFields) })
        .transform((given) => formatOf(given.json_schema, "response_format.json_schema.schema")),
    ],
    error,
  )
  .nullish();

/** `text` of Responses. */
export const responseText = z
  .looseObject({
    format: z
      .discriminatedUnion(
        "type",
        [
          plain,
          anyJson.transform(asAnyObject("text.format")),
          z
            .looseObject({ type: z.literal("json_schema"), ...schemaFields })
            .transform((given) => formatOf(given, "text.format.schema")),
        ],
        error,
      )
      .nullish(),
  })
  .nullish();
