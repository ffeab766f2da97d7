import { z } from "zod";
import type { DeliveryContext } from "../define-destination.ts";
import { DeliveryError } from "./delivery-error.ts";
import { jsonOf, readReply } from "./read-reply.ts";

const rejected = z.object({ errors: z.array(z.object({ message: z.string() })).min(1) });

/** A GraphQL operation at the vendor's path `/graphql`. */
export interface GraphqlRequest<Reply> {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The documented response. */
  readonly reply: z.ZodType<Reply>;
}

/**
 * Executes a GraphQL operation. Its errors come with status 200 (https://spec.graphql.org/October2021/#sec-Errors).
 * @throws DeliveryError for these, and for an unexpected response
 */
export async function graphql<Reply>(context: DeliveryContext, request: GraphqlRequest<Reply>): Promise<Reply> {
  const { headers, reply, ...json } = request;
  const { text } = await context.callApi("/graphql", { headers, json });
  const refusal = rejected.safeParse(jsonOf(text));
  if (refusal.success) throw new DeliveryError(refusal.data.errors.map(({ message }) => message).join("; "));
  return readReply(reply, text);
}
