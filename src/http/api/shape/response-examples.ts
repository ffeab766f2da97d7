import { z } from "zod";
import recorded from "./response-examples.json" with { type: "json" };

const EXAMPLES = new Map(Object.entries(z.record(z.string(), z.unknown()).parse(recorded)));

/** What an operation answered once, as bare data; undefined for one without a body. */
export function responseExample(operationId: string): unknown {
  return EXAMPLES.get(operationId);
}
