import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
} from "node:crypto";

const CURVE = "prime256v1";
const KEY_BYTES = 65;
const AUTH_BYTES = 16;
const SALT_BYTES = 16;
/** Push services accept at least 4,096 bytes (https://www.rfc-editor.org/rfc/rfc8030#section-7.2): one record is enough. */
const RECORD_BYTES = 4_096;
/** Ends the content of the last record (https://www.rfc-editor.org/rfc/rfc8188#section-2). */
const LAST_RECORD = 2;
/** At most 24 hours (https://www.rfc-editor.org/rfc/rfc8292#section-2). */
const TOKEN_SECONDS = 12 * 3_600;

/** The pair of keys by which push services know this service. */
export interface VapidKeys {
  /** The point, uncompressed, in base64url: browsers subscribe with it. */
  readonly publicKey: string;
  /** The scalar, in base64url. */
  readonly privateKey: string;
}

/** The keys of a subscription, by which only its browser can read a message, in base64url. */
export interface PushKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** Creates a pair of keys on P-256. */
export function createVapidKeys(): VapidKeys {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: CURVE });
  const { x = "", y = "", d = "" } = privateKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return { publicKey: point.toString("base64url"), privateKey: d };
}

/** Whether the keys are a point on P-256 and a secret of 16 bytes. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  const point = Buffer.from(p256dh, "base64url");
  if (point.length !== KEY_BYTES || Buffer.from(auth, "base64url").length !== AUTH_BYTES) return false;
  try {
    const own = createECDH(CURVE);
    own.generateKeys();
    own.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

/**
 * Encrypts a message of at most some 3,900 bytes for one subscription, as `aes128gcm`
 * (https://www.rfc-editor.org/rfc/rfc8291).
 */
export function encryptPush(message: string, keys: PushKeys): Buffer {
  const own = createECDH(CURVE);
  const ownPoint = own.generateKeys();
  const theirs = Buffer.from(keys.p256dh, "base64url");
  const salt = randomBytes(SALT_BYTES);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, ownPoint]);
  const shared = derive(own.computeSecret(theirs), { salt: Buffer.from(keys.auth, "base64url"), info, bytes: 32 });
  const key = derive(shared, { salt, info: Buffer.from("Content-Encoding: aes128gcm\0"), bytes: 16 });
  const nonce = derive(shared, { salt, info: Buffer.from("Content-Encoding: nonce\0"), bytes: 12 });
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const content = [cipher.update(message, "utf8"), cipher.update(Buffer.of(LAST_RECORD)), cipher.final()];
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([salt, size, Buffer.of(ownPoint.length), ownPoint, ...content, cipher.getAuthTag()]);
}

/**
 * The header `Authorization` of a request to a push service (https://www.rfc-editor.org/rfc/rfc8292).
 * @param request.contact whom the push service can tell of problems: mailto: or https:
 * @param request.now in Unix milliseconds
 */
export function vapidAuthorization(
  { publicKey, privateKey }: VapidKeys,
  { endpoint, contact, now }: { readonly endpoint: string; readonly contact: string; readonly now: number },
): string {
  const exp = Math.floor(now / 1_000) + TOKEN_SECONDS;
  const claims = { aud: new URL(endpoint).origin, exp, sub: contact };
  const signed = `${encode({ typ: "JWT", alg: "ES256" })}.${encode(claims)}`;
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const key = createPrivateKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y, d: privateKey } });
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
  return `vapid t=${signed}.${signature}, k=${publicKey}`;
}

function derive(
  key: Buffer,
  { salt, info, bytes }: { readonly salt: Buffer; readonly info: Buffer; readonly bytes: number },
): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, info, bytes));
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
