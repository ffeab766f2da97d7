import type { z } from "zod";
import type { DeliveryResponse } from "../define-destination.ts";
import { DeliveryError } from "./delivery-error.ts";

/** Parses a response as JSON with a schema. @throws DeliveryError when it does not match */
export function parseReply<Schema extends z.ZodType>({ text }: DeliveryResponse, schema: Schema): z.output<Schema> {
  return parseAs(jsonOf(text), schema);
}

/** Parses part of a response. @throws DeliveryError when it does not match */
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
