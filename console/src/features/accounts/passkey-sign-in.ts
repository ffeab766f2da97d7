// Loaded by those who need it when they do: imported as a whole, the page of the sign-in would load their screens too.

import type { components } from "#client/gen/schema.ts";
import type { Access } from "../../api/session.ts";
import { callAuth } from "./auth.ts";

type Schemas = components["schemas"];

/** Challenges end after five minutes. */
const RENEW_MS = 240_000;
/** The offer among the suggestions of the sign-in page. */
let offer: AbortController | undefined;

/** What people read when nothing came of it. */
export const NOTHING = "The browser gave no passkey. Try again.";

/** Signs in with a passkey that the browser offers. @throws Problem, Error with a message for the person */
export async function enterByPasskey(workspaceId?: string): Promise<Access> {
  // A browser asks for one passkey at a time.
  offer?.abort();
  const publicKey = await requestOptions();
  const credential = await asked(() => navigator.credentials.get({ publicKey }));
  return enterWith(credential, workspaceId);
}

/**
 * Lets the browser offer passkeys among the suggestions of the field for the address, until the signal aborts or one
 * is asked for by a button. Resolves with undefined when none was chosen. @throws Problem for one that is not accepted
 */
export async function offerPasskeys(signal: AbortSignal, workspaceId?: string): Promise<Access | undefined> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return undefined;
  while (!signal.aborted) {
    const own = new AbortController();
    offer = own;
    const ends = AbortSignal.any([signal, own.signal, AbortSignal.timeout(RENEW_MS)]);
    // Without the service there is no offer; the form says so when it is sent.
    const publicKey = await requestOptions().catch(() => undefined);
    if (publicKey === undefined) return undefined;
    const credential = await asked(() =>
      navigator.credentials.get({ publicKey, mediation: "conditional", signal: ends }),
    ).catch(() => undefined);
    if (credential !== undefined) {
      const access = await enterWith(credential, workspaceId);
      return signal.aborted ? undefined : access;
    }
    // Only a request that has become too old is made again.
    if (own.signal.aborted || !ends.aborted) return undefined;
  }
  return undefined;
}

async function requestOptions(): Promise<PublicKeyCredentialRequestOptions> {
  const options = await callAuth<Schemas["PasskeyRequestOptions"]>("POST", "/auth/passkeys/sign-in/options", {});
  return PublicKeyCredential.parseRequestOptionsFromJSON(options);
}

function enterWith(credential: Awaited<ReturnType<typeof asked>>, workspaceId: string | undefined): Promise<Access> {
  return callAuth<Access>("POST", "/auth/passkeys/sign-in", { credential, workspace_id: workspaceId });
}

/** What the browser gives, as it is sent. @throws Error with a message for the person */
export async function asked(ask: () => Promise<Credential | null>) {
  const credential = await ask().catch((error: unknown) => {
    throw new Error(explained(error), { cause: error });
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error(NOTHING);
  const { id, rawId, response } = credential.toJSON();
  return { id, rawId, type: "public-key", response } as const;
}

/** https://www.w3.org/TR/webauthn-3/#sctn-createCredential */
function explained(error: unknown): string {
  if (!(error instanceof DOMException)) return String(error);
  if (error.name === "NotAllowedError") return "No passkey was chosen, or it took too long. Try again.";
  if (error.name === "InvalidStateError") return "This device has a passkey of yours already.";
  return error.message;
}
