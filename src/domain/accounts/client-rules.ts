import { z } from "zod";
import { ROLES } from "../access/role.ts";

/** Programs that call with access tokens of the provider, and the role of each in a workspace. */
export const clientRules = z
  .array(
    z.strictObject({
      client: z.string().trim().min(1).max(200).describe("Its client id at the provider."),
      workspace: z.string().min(1).max(200).describe("Its slug or id."),
      role: z.enum(ROLES),
    }),
  )
  .max(1_000)
  .refine((rules) => new Set(rules.map(({ client }) => client)).size === rules.length, {
    error: "names a client twice: each has one workspace and one role",
  });

/** A program of the provider, and its role in a workspace. */
export type ClientRule = z.output<typeof clientRules>[number];
