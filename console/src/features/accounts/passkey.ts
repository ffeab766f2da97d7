import { addPasskey, beginPasskey } from "#client/gen/operations/accounts.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../api/client.ts";
import type { Access } from "../../api/session.ts";
import { callAuth } from "./auth.ts";

type Schemas = components["schemas"];

const NOTHING = "The browser gave no passkey. Try again.";

/** Why this browser cannot use passkeys, as a sentence that says what to do; undefined when it can. */
export function passkeyProblem(): string | undefined {
  if (!isSecureContext) {
    return "Browsers use passkeys on https pages only. Ask the operator to serve the console by https.";
  }
  if (typeof PublicKeyCredential === "undefined" || !("parseCreationOptionsFromJSON" in PublicKeyCredential)) {
    return "This browser can't use passkeys. Update it, or use another one.";
  }
  return undefined;
}

/**
 * Makes a passkey on this device, or on another one that the browser offers, and adds it to the person's account.
 * @throws Problem, Error with a message for the person
 */
export async function makePasskey(name: string): Promise<void> {
  const options = await call(beginPasskey)({});
  const { pubKeyCredParams } = options;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({
    ...options,
    pubKeyCredParams: [...pubKeyCredParams],
  });
  const { response, ...made } = await asked(() => navigator.credentials.create({ publicKey }));
  if (!("attestationObject" in response)) throw new Error(NOTHING);
  await call(addPasskey)({ name, credential: { ...made, response } });
}

/** Signs in with a passkey that the browser offers. @throws Problem, Error with a message for the person */
export async function enterByPasskey(workspaceId?: string): Promise<Access> {
  const problem = passkeyProblem();
  if (problem !== undefined) throw new Error(problem);
  const options = await callAuth<Schemas["PasskeyRequestOptions"]>("POST", "/auth/passkeys/sign-in/options", {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await asked(() => navigator.credentials.get({ publicKey }));
  return callAuth<Access>("POST", "/auth/passkeys/sign-in", { credential, workspace_id: workspaceId });
}

/** What the browser gives, as it is sent. */
async function asked(ask: () => Promise<Credential | null>) {
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
