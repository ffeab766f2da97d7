import { z } from "zod";

/** One try of a model call; times are in Unix milliseconds. */
export const modelTry = z.object({
  model: z.string(),
  started_at: z.int(),
  ended_at: z.int(),
  /** The vendor's HTTP status, 200 for the try that succeeded; null where the vendor gave none. */
  status: z.int().nullable(),
  /** What the vendor said, without secrets; null for the try that succeeded. */
  message: z.string().nullable(),
  /** The pause before the next try, in milliseconds. */
  waited_ms: z.int(),
});

/** See {@link modelTry}. */
export type ModelTry = Readonly<z.output<typeof modelTry>>;

/** What was exchanged with a vendor in a try that failed: the body of the request and that of the answer, without secrets. */
export const vendorExchange = z.object({
  /** Which try, from 0. */
  try: z.int(),
  request: z.string(),
  response: z.string(),
});

/** See {@link vendorExchange}. */
export type VendorExchange = Readonly<z.output<typeof vendorExchange>>;
