import { z } from "zod";

const decoded = z.base64url().transform((text, context): unknown => {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    context.addIssue({ code: "custom", message: "is not a cursor" });
    return z.NEVER;
  }
});

/** Encodes the end of a page as a text that clients send back unchanged. */
export function writeCursor<Schema extends z.ZodType>(schema: Schema, position: z.input<Schema>): string {
  return Buffer.from(JSON.stringify(schema.parse(position))).toString("base64url");
}

/** Decodes the text of {@link writeCursor}; undefined for any other text. */
export function readCursor<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> | undefined {
  return decoded.pipe(z.unknown().pipe(schema)).safeParse(text).data;
}
