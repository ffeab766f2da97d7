import { z } from "zod";

/** Binary data as browsers send it (`PublicKeyCredential.toJSON`). */
const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/, "must be base64url");

/** What a browser sends for any passkey; other fields are dropped. */
const credential = z.object({
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}).default({}),
});

/** The response of `navigator.credentials.create`, as JSON. */
export const registrationInput = credential.extend({
  response: z.object({ clientDataJSON: base64url(4_000), attestationObject: base64url(40_000) }),
});

/** A new passkey as the browser sends it. */
export type RegistrationInput = z.output<typeof registrationInput>;

/** The response of `navigator.credentials.get`, as JSON. */
export const assertionInput = credential.extend({
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(10_000),
    signature: base64url(4_000),
    userHandle: base64url(100).nullish(),
  }),
});

/** The use of a passkey as the browser sends it. */
export type AssertionInput = z.output<typeof assertionInput>;

const clientData = z.object({ challenge: base64url(200) });

/** The challenge that a response signs; undefined when it has none. */
export function challengeIn({ clientDataJSON }: { readonly clientDataJSON: string }): string | undefined {
  try {
    return clientData.safeParse(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString())).data?.challenge;
  } catch {
    return undefined;
  }
}
