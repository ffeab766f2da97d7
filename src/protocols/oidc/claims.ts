import { z } from "zod";
import { personName } from "#domain/display-name.ts";
import { storableText } from "#domain/storable.ts";
import { OpenIdRejectedError, notTrusted } from "./explain-failure.ts";

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

/** Claims that the provider keeps elsewhere (OpenID Connect Core, 5.6.2), as Entra ID does with more than 200 groups. */
const elsewhereShape = z.looseObject({ _claim_names: z.record(z.string(), z.unknown()) });

/**
 * Reads the claims of a verified ID token. Without a list of groups there are none.
 * @param groupsClaim undefined where groups do not count
 * @throws OpenIdRejectedError
 */
export function readClaims(claims: Readonly<Record<string, unknown>>, groupsClaim: string | undefined): ProviderClaims {
  const names = elsewhereShape.safeParse(claims).data?._claim_names ?? {};
  // Without them, the person would lose all that the groups have given.
  if (groupsClaim !== undefined && claims[groupsClaim] === undefined && groupsClaim in names) {
    throw new OpenIdRejectedError("The sign-in provider leaves out your groups: there are too many. Ask its operator.");
  }
  const { data } = claimsShape.safeParse(claims);
  if (data === undefined) throw notTrusted();
  const { iss, sub, email, email_verified: verified, xms_edov: ofDomain, name } = data;
  return {
    issuer: iss,
    subject: sub,
    email,
    isEmailVerified: verified !== undefined || ofDomain !== undefined,
    name,
    groups: groupsClaim === undefined ? [] : groupsShape.parse(claims[groupsClaim]),
  };
}
