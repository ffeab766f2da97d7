import { z } from "zod";

/** Who can have an account, and whose addresses are believed. */
export const accounts = z.object({
  SIGN_UP: z
    .enum(["open", "closed"])
    .default("closed")
    .describe("Who can sign up: anyone (open), or invited people only (closed)."),
  PASSWORD_SIGN_IN: z
    .enum(["on", "off"])
    .default("on")
    .describe("off: people sign in at the OpenID provider only; `muster setup-link` then lets the owner in once."),
  APP_REGISTRATION: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "off: only programs with a client id metadata document can be connected by OAuth, none that registers itself.",
    ),
  TRUSTED_PROXIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe("Number of reverse proxies whose X-Forwarded-For is trusted; 0 trusts none."),
});
