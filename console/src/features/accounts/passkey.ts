import { addPasskey, beginPasskey } from "#client/gen/operations/accounts.ts";
import { call } from "../../api/client.ts";
import { loadPart } from "../../lib/load-part.ts";

/**
 * Makes a passkey on this device, or on another one that the browser offers, and adds it to the person's account.
 * @throws Problem, Error with a message for the person
 */
export async function makePasskey(name: string): Promise<void> {
  const { NOTHING, asked } = await loadPart(() => import("./passkey-sign-in.ts"));
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
