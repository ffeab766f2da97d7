import { isIP } from "node:net";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { PasskeyRejectedError, rejectedAs } from "./passkey-rejected.ts";
import type { AssertionInput, RegistrationInput } from "./responses.ts";

// Web Authentication (https://www.w3.org/TR/webauthn-3/) by a library, which is loaded when it is first used.

/** How long a person may take, in seconds. */
export const CEREMONY_SECONDS = 300;

/**
 * EdDSA, ES256 and RS256. Named, since the library else asks Node for others, which warns on stderr that it is asked.
 * https://www.iana.org/assignments/cose/cose.xhtml#algorithms
 */
const ALGORITHMS = [-8, -7, -257];

/** What a new passkey is, as it is stored: id and COSE key in base64url. */
export interface NewCredential {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
}

/** The person for whom a passkey is made. */
export interface PasskeyOwner {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The ids of their passkeys: an authenticator that has one of them makes no other. */
  readonly credentialIds: readonly string[];
}

/** This service as authenticators know it: by its host name. */
export interface RelyingParty {
  /** What the browser needs to make a passkey that names its person, on a device that verifies them. */
  creationOptions(
    challenge: Uint8Array<ArrayBuffer>,
    owner: PasskeyOwner,
  ): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** What the browser needs to sign in with any passkey of this service. */
  requestOptions(challenge: Uint8Array<ArrayBuffer>): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** Checks a new passkey, all but its challenge. @throws PasskeyRejectedError */
  verifyCreation(given: RegistrationInput): Promise<NewCredential>;
  /** Checks a sign-in, all but its challenge; returns the new counter. @throws PasskeyRejectedError */
  verifyUse(given: AssertionInput, stored: NewCredential): Promise<number>;
}

/**
 * Returns the relying party of an origin.
 * @throws PasskeyRejectedError for an address in numbers, which no browser accepts as a name
 */
export function relyingPartyOf(origin: string, serviceName: string): RelyingParty {
  const { hostname: rpID, port } = new URL(origin);
  if (isIP(rpID.replace(/^\[|\]$/g, "")) !== 0) throw needsHostName(port);
  const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };
  // The caller has checked the challenge, which only this service can make.
  const expectedChallenge = () => true;
  return {
    async creationOptions(challenge, { id, email, name, credentialIds }) {
      const { generateRegistrationOptions } = await library();
      return generateRegistrationOptions({
        rpName: serviceName,
        rpID,
        userID: new TextEncoder().encode(id),
        userName: email,
        userDisplayName: name,
        challenge,
        timeout: CEREMONY_SECONDS * 1_000,
        excludeCredentials: credentialIds.map((credentialId) => ({ id: credentialId })),
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
    },
    async requestOptions(challenge) {
      const { generateAuthenticationOptions } = await library();
      const timeout = CEREMONY_SECONDS * 1_000;
      return generateAuthenticationOptions({ rpID, challenge, timeout, userVerification: "required" });
    },
    async verifyCreation(given) {
      const { verifyRegistrationResponse } = await library();
      const { registrationInfo } = await rejectedAs(async () => {
        const response = await withoutAttestation(given);
        return verifyRegistrationResponse({
          response,
          expectedChallenge,
          supportedAlgorithmIDs: ALGORITHMS,
          ...expected,
        });
      });
      if (registrationInfo === undefined) throw new PasskeyRejectedError("The passkey's signature is wrong.");
      const { id, publicKey, counter } = registrationInfo.credential;
      return { credentialId: id, publicKey: Buffer.from(publicKey).toString("base64url"), counter };
    },
    async verifyUse({ response: { clientDataJSON, authenticatorData, signature }, ...given }, stored) {
      const { credentialId: id, publicKey: key, counter } = stored;
      const { verifyAuthenticationResponse } = await library();
      const response = { ...given, response: { clientDataJSON, authenticatorData, signature } };
      const credential = { id, publicKey: new Uint8Array(Buffer.from(key, "base64url")), counter };
      const { verified, authenticationInfo } = await rejectedAs(() =>
        verifyAuthenticationResponse({ response, expectedChallenge, credential, ...expected }),
      );
      if (!verified) throw new PasskeyRejectedError("The passkey's signature is wrong.");
      return authenticationInfo.newCounter;
    },
  };
}

function library() {
  return import("@simplewebauthn/server");
}

/** No proof of the authenticator's make is asked for, so the certificates and URLs of one must have no effect. */
async function withoutAttestation({ response, ...given }: RegistrationInput): Promise<RegistrationInput> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import("@simplewebauthn/server/helpers");
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject)).get("authData");
  const stripped = new Map<string, string | Uint8Array | Map<string, never>>([
    ["fmt", "none"],
    ["attStmt", new Map<string, never>()],
    ["authData", authData],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(stripped));
  return { ...given, response: { ...response, attestationObject } };
}

function needsHostName(port: string): PasskeyRejectedError {
  const local = `http://localhost${port === "" ? "" : `:${port}`}`;
  return new PasskeyRejectedError(
    `Passkeys need a host name. Open the console by one, such as ${local} on this machine, or set PUBLIC_URL.`,
  );
}
