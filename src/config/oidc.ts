import { z } from "zod";
import { groupRules } from "#domain/accounts/group-rules.ts";
import { clientRules } from "#domain/accounts/client-rules.ts";
import { jsonList } from "./forms.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const text = z.string().min(1).optional();

/** An https URL; http only on this machine, where nobody else can answer. */
const issuer = z
  .url({ protocol: /^https?$/, error: "must be an https URL such as https://login.example.org", abort: true })
  .refine((url) => new URL(url).protocol === "https:" || LOOPBACK.test(new URL(url).hostname), {
    error: "must begin with https:// (http:// only for a provider on this machine)",
  });

/** Sign-in at an OpenID provider. */
export const oidc = z.object({
  OIDC_ISSUER: issuer
    .optional()
    .describe(
      "Issuer of the OpenID provider at which people sign in, as its discovery document names it; its redirect URI is PUBLIC_URL/auth/oidc/callback.",
    ),
  OIDC_CLIENT_ID: text.describe("The client id that the provider gave to this service."),
  OIDC_CLIENT_SECRET: text.describe("Its secret; without one, the client is public (PKCE is used in any case)."),
  OIDC_SCOPES: z
    .string()
    .regex(/^openid(?: [!#-[\]-~]+)*$/, "must begin with openid, with one space between scopes")
    .default("openid email profile")
    .describe("The scopes to ask for; `email` is needed to find the invitation of a person."),
  OIDC_NAME: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .describe("The provider's name on the sign-in page (default: the host of OIDC_ISSUER)."),
  OIDC_GROUPS_CLAIM: z.string().min(1).max(200).default("groups").describe("The claim that lists a person's groups."),
  OIDC_GROUPS: jsonList(groupRules).describe(
    'Groups that give roles in workspaces: [{"group":"leads","workspace":"my-workspace","role":"owner"}]. Each workspace needs a rule for an owner.',
  ),
  OIDC_AUDIENCE: text.describe(
    "Audience of access tokens with which programs call: this service's own at the provider, other than OIDC_CLIENT_ID.",
  ),
  OIDC_CLIENTS: jsonList(clientRules).describe(
    'Programs that call with an access token of the provider: [{"client":"ci","workspace":"my-workspace","role":"member"}].',
  ),
  OIDC_SESSION_HOURS: z.coerce
    .number()
    .min(0.1)
    .max(720)
    .default(24)
    .describe(
      "Hours after which people who signed in at the provider sign in there again, so that changes there count.",
    ),
});

/** Settings that need each other. */
export function oidcIssues(given: NodeJS.ProcessEnv): z.core.$ZodIssue[] {
  const issue = (name: string, message: string) => ({
    code: "custom" as const,
    path: [name],
    message,
    input: undefined,
  });
  const { OIDC_ISSUER: at, OIDC_CLIENT_ID: id, PASSWORD_SIGN_IN: passwords } = given;
  if (at === undefined && passwords === "off") return [issue("OIDC_ISSUER", "is required with PASSWORD_SIGN_IN=off")];
  if (at !== undefined && id === undefined) return [issue("OIDC_CLIENT_ID", "is required with OIDC_ISSUER")];
  if (at === undefined && id !== undefined) return [issue("OIDC_ISSUER", "is required with OIDC_CLIENT_ID")];
  const { OIDC_AUDIENCE: audience, OIDC_CLIENTS: clients } = given;
  if (clients !== undefined && audience === undefined) return [issue("OIDC_AUDIENCE", "is required with OIDC_CLIENTS")];
  // Else the ID token of a person would open what a program may.
  if (audience !== undefined && audience === id) return [issue("OIDC_AUDIENCE", "must not be OIDC_CLIENT_ID")];
  return [];
}
