import { z } from "zod";
import { findNetworkProblem } from "#lib/security/allowed-networks.ts";

const MAX_NETWORKS = 100;
const MAX_LENGTH = 50;

const network = z
  .string()
  .trim()
  .max(MAX_LENGTH, { abort: true })
  .superRefine((text, context) => {
    const problem = findNetworkProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: `${problem}, not ${text}` });
  });

/** The networks from which a key may be used. */
export const allowedNetworks = z
  .array(network)
  .min(1)
  .max(MAX_NETWORKS)
  .transform((given) => [...new Set(given)])
  .nullable()
  .describe("The networks (CIDR) and IP addresses from which it may be used; null for everywhere.");
