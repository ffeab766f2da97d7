import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import { z } from "zod";

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 } as const;
const creationOptions = z.looseObject({
  challenge: z.string(),
  rp: z.looseObject({ id: z.string() }),
  user: z.looseObject({ id: z.string() }),
});
const requestOptions = z.looseObject({ challenge: z.string(), rpId: z.string() });

/** How an authenticator behaves, other than a good one on the service's page. */
export interface Behaviour {
  /** The page on which it is used. */
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  /** Whether the person was recognized by finger, face or PIN. */
  readonly isVerified?: boolean;
  /** The number of its uses that it reports; 0: it does not count. */
  readonly counter?: number;
  readonly userHandle?: string;
}

/** An authenticator in software, with one passkey on ES256. */
export interface Authenticator {
  readonly id: string;
  /** Makes the passkey: what `navigator.credentials.create` would give, as JSON. */
  create(options: unknown, behaviour?: Behaviour): object;
  /** Uses it: what `navigator.credentials.get` would give, as JSON. */
  get(options: unknown, behaviour?: Behaviour): object;
}

/** Makes an authenticator. @param origin of the page on which it is used */
export function createAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const rawId = randomBytes(32);
  const id = rawId.toString("base64url");
  let counter = 0;
  let userHandle = randomBytes(16).toString("base64url");
  const clientData = (type: string, challenge: string, behaviour: Behaviour) =>
    Buffer.from(
      JSON.stringify({ type, challenge: behaviour.challenge ?? challenge, origin: behaviour.origin ?? origin }),
    );
  return {
    id,
    create(options, behaviour = {}) {
      const { challenge, rp, user } = creationOptions.parse(options);
      userHandle = user.id;
      const idLength = Buffer.alloc(2);
      idLength.writeUInt16BE(rawId.length);
      const attested = Buffer.concat([Buffer.alloc(16), idLength, rawId, coseOf(publicKey)]);
      const authData = Buffer.concat([
        authenticatorData(behaviour.rpId ?? rp.id, { ...behaviour, flags: FLAGS.attested, counter }),
        attested,
      ]);
      const object = new Map<string, string | Uint8Array | Map<string, never>>([
        ["fmt", "none"],
        ["attStmt", new Map<string, never>()],
        ["authData", new Uint8Array(authData)],
      ]);
      return responseOf({
        clientDataJSON: clientData("webauthn.create", challenge, behaviour).toString("base64url"),
        attestationObject: Buffer.from(isoCBOR.encode(object)).toString("base64url"),
        transports: ["internal"],
      });
    },
    get(options, behaviour = {}) {
      const { challenge, rpId } = requestOptions.parse(options);
      counter = behaviour.counter ?? counter + 1;
      const signedData = clientData("webauthn.get", challenge, behaviour);
      const data = authenticatorData(behaviour.rpId ?? rpId, { ...behaviour, flags: 0, counter });
      const hash = createHash("sha256").update(signedData).digest();
      return responseOf({
        clientDataJSON: signedData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", Buffer.concat([data, hash]), privateKey).toString("base64url"),
        userHandle: behaviour.userHandle ?? userHandle,
      });
    },
  };

  function responseOf(response: object): object {
    return {
      id,
      rawId: id,
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response,
    };
  }
}

/** https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data */
function authenticatorData(
  rpId: string,
  { flags, counter, isVerified = true }: { flags: number; counter: number; isVerified?: boolean | undefined },
): Buffer {
  const counted = Buffer.alloc(4);
  counted.writeUInt32BE(counter);
  const all = flags | FLAGS.present | (isVerified ? FLAGS.verified : 0);
  return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([all]), counted]);
}

/** The public key as COSE has it (RFC 9053, section 7.1). */
function coseOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, "base64url"))],
    [-3, new Uint8Array(Buffer.from(y, "base64url"))],
  ]);
  return Buffer.from(isoCBOR.encode(cose));
}
