import type { z } from "zod";
import { DeliveryError } from "./delivery-error.ts";

/** Reads a vendor's JSON reply. @throws DeliveryError when it is not what the vendor documents */
export function readReply<Reply>(schema: z.ZodType<Reply>, text: string): Reply {
  const parsed = schema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".");
  throw new DeliveryError(
    `The reply is not what the API documents${field ? `: its field "${field}"` : ": no JSON object"}.`,
  );
}

/** Parses a reply; undefined when it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
