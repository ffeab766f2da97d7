import { createECDH, createHash, createPrivateKey, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { SecretBox } from "#lib/security/secret-box.ts";

/** The path of the public key, in the form of a JSON Web Key Set. */
export const KEYS_PATH = "/.well-known/jwks.json";
const PURPOSE = "a2a-card";

/** A signature of a card: a JWS whose payload is the card (https://a2a-protocol.org/latest/specification/#84-agent-card-signing). */
interface CardSignature {
  readonly protected: string;
  readonly signature: string;
}

/** Signs cards with a key of the installation. */
export interface CardSigner {
  /** Returns a card with a signature of each of these payloads; `keysUrl` says where the public key is. */
  sign<Card extends object>(
    card: Card,
    of: { readonly payloads: readonly object[]; readonly keysUrl: string },
  ): Card & { readonly signatures: readonly CardSignature[] };
  /** The public key, as a JSON Web Key. */
  readonly publicKey: object;
}

const signers = new WeakMap<Buffer, CardSigner>();

/**
 * Returns the signer of an installation. Its key is derived from the data key, so all processes have the same one, and a
 * new data key gives a new one.
 */
export function cardSigner(secrets: SecretBox): CardSigner {
  return signerOf(secrets.derive(PURPOSE));
}

/** The public keys whose cards may still be in use, as a JSON Web Key Set. */
export function cardKeys(secrets: SecretBox): object {
  return { keys: secrets.deriveAll(PURPOSE).map((secret) => signerOf(secret).publicKey) };
}

function signerOf(secret: Buffer): CardSigner {
  const signer = signers.get(secret) ?? createSigner(secret);
  signers.set(secret, signer);
  return signer;
}

function createSigner(secret: Buffer): CardSigner {
  const { privateKey, publicJwk, kid } = createKey(secret);
  return {
    sign: (card, { payloads, keysUrl }) => {
      const header = encode(JSON.stringify({ alg: "ES256", kid, jku: keysUrl, typ: "JOSE" }));
      const signatures = payloads.map((payload) => {
        const input = `${header}.${encode(canonical(withoutDefaults(payload)))}`;
        const signature = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
        return { protected: header, signature: signature.toString("base64url") };
      });
      return { ...card, signatures };
    },
    publicKey: { ...publicJwk, kid, use: "sig", alg: "ES256" },
  };
}

interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicJwk: object;
  /** Its thumbprint (RFC 7638). */
  readonly kid: string;
}

function createKey(secret: Buffer): SigningKey {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey();
  const publicJwk = { crv: "P-256", kty: "EC", x: encode(point.subarray(1, 33)), y: encode(point.subarray(33)) };
  return {
    privateKey: createPrivateKey({ format: "jwk", key: { ...publicJwk, d: encode(secret) } }),
    publicJwk,
    kid: createHash("sha256").update(canonical(publicJwk)).digest("base64url"),
  };
}

function encode(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** JSON in its canonical form (RFC 8785), of values without numbers. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
}

/** Without what a reader of Protocol Buffers does not distinguish from nothing: empty texts, lists and objects. */
function withoutDefaults(value: unknown): unknown {
  if (value === "" || value === null) return undefined;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutDefaults).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const kept = withoutDefaults(field);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}
