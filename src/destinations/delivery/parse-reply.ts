import type { z } from "zod";
import type { DeliveryResponse } from "../define-destination.ts";
import { DeliveryError } from "./delivery-error.ts";

/** Reads a reply as JSON of a form. @throws DeliveryError when it is something else. */
export function parseReply<Schema extends z.ZodType>({ text }: DeliveryResponse, schema: Schema): z.output<Schema> {
  return parseAs(jsonOf(text), schema);
}

/** Reads a part of a reply. @throws DeliveryError when it is of another form. */
export function parseAs<Schema extends z.ZodType>(value: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new DeliveryError(`The reply is not what the API documents: ${parsed.error.issues[0]?.message ?? "no JSON"}.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
