import { z } from "zod";
import { personName } from "#domain/display-name.ts";
import { storableText } from "#domain/storable.ts";
import { notTrusted } from "./explain-failure.ts";

/** What a provider says of a person. */
export interface ProviderClaims {
  readonly issuer: string;
  /** Identifies the person at the issuer, and never changes. */
  readonly subject: string;
  readonly email: string | undefined;
  /** Whether the provider says that the address is the person's. */
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  readonly groups: readonly string[];
}

const yes = z.union([z.literal(true), z.literal("true"), z.literal(1), z.literal("1")]);

/** Some providers write booleans as text; Entra ID has a claim of its own for addresses of verified domains. */
const claimsShape = z.looseObject({
  iss: z.string().min(1),
  sub: z
    .string()
    .min(1)
    .max(255)
    .refine((text) => storableText(text) === text),
  email: z.email().max(254).optional().catch(undefined),
  email_verified: yes.optional().catch(undefined),
  xms_edov: yes.optional().catch(undefined),
  name: z
    .string()
    .transform((text) => storableText(text.slice(0, 100)))
    .pipe(personName())
    .optional()
    .catch(undefined),
});

/** One group, or a list of them. */
const groupsShape = z.union([z.array(z.string()), z.string().transform((group) => [group])]).catch([]);

/** Reads the claims of a verified ID token. Without a list of groups there are none. @throws OpenIdRejectedError */
export function readClaims(claims: Readonly<Record<string, unknown>>, groupsClaim: string): ProviderClaims {
  const { data } = claimsShape.safeParse(claims);
  if (data === undefined) throw notTrusted();
  const { iss, sub, email, email_verified: verified, xms_edov: ofDomain, name } = data;
  return {
    issuer: iss,
    subject: sub,
    email,
    isEmailVerified: verified !== undefined || ofDomain !== undefined,
    name,
    groups: groupsShape.parse(claims[groupsClaim]),
  };
}
