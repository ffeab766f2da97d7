import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { z } from "zod";

const claims = z.strictObject({
  aud: z.string(),
  exp: z.int(),
  sub: z.string().regex(/^(mailto:.+@.+|https:\/\/.+)$/),
});

/** A notification that the service accepted, decrypted. */
export interface ReceivedPush {
  readonly ttl: number;
  readonly urgency: string | undefined;
  readonly topic: string | undefined;
  readonly message: Readonly<Record<string, unknown>>;
}

/** A browser that has subscribed. */
export interface TestDevice {
  /** As the browser serializes its subscription. */
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  readonly received: readonly ReceivedPush[];
  /** Ends the subscription: what is sent to it is answered so. */
  end(status: 404 | 410): void;
}

/** Starts a push service on loopback, which accepts only what RFC 8030, 8188, 8291 and 8292 allow. */
export async function startPushService() {
  const devices = new Map<string, { ended?: number; receive(request: IncomingMessage, body: Buffer): void }>();
  const faults: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const device = devices.get(request.url ?? "");
    let status = device === undefined ? 404 : (device.ended ?? 201);
    try {
      if (status === 201) device?.receive(request, body);
    } catch (error) {
      faults.push(String(error));
      status = 403;
    }
    response.writeHead(status).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server on loopback has a port.");
  const origin = `http://127.0.0.1:${address.port}`;

  /** @param publicKey with which the browser subscribes: only its owner may send */
  function subscribe(publicKey: string): TestDevice {
    const ecdh = createECDH("prime256v1");
    const p256dh = ecdh.generateKeys();
    const auth = randomBytes(16);
    const path = `/push/${randomBytes(16).toString("base64url")}`;
    const received: ReceivedPush[] = [];
    const device: { ended?: number; receive(request: IncomingMessage, body: Buffer): void } = {
      receive({ headers }, body) {
        checkSender(headers.authorization ?? "", { publicKey, origin });
        if (headers["content-encoding"] !== "aes128gcm") throw new Error("The content is not encrypted.");
        const topic = z
          .string()
          .regex(/^[\w-]{1,32}$/)
          .optional()
          .parse(headers["topic"]);
        const ttl = Number(z.string().regex(/^\d+$/).parse(headers["ttl"]));
        const text = decrypt(body, { ecdh, p256dh, auth });
        const message = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
        received.push({ ttl, urgency: z.string().optional().parse(headers["urgency"]), topic, message });
      },
    };
    devices.set(path, device);
    const keys = { p256dh: p256dh.toString("base64url"), auth: auth.toString("base64url") };
    return {
      subscription: { endpoint: origin + path, keys },
      received,
      end(status) {
        device.ended = status;
      },
    };
  }

  return {
    subscribe,
    faults,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The token is signed by the key of the subscription, for this service, and valid for at most a day. */
function checkSender(authorization: string, of: { readonly publicKey: string; readonly origin: string }): void {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  if (key !== of.publicKey) throw new Error("The subscription belongs to another key.");
  const [header = "", payload = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const verifier = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${header}.${payload}`),
    { key: verifier, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) throw new Error("The token is not signed by its key.");
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());
  z.strictObject({ typ: z.literal("JWT"), alg: z.literal("ES256") }).parse(read(header));
  const { aud, exp } = claims.parse(read(payload));
  const left = exp - Date.now() / 1_000;
  if (aud !== of.origin || left <= 0 || left > 86_400) throw new Error("The token is for another service or time.");
}

interface Receiver {
  readonly ecdh: ReturnType<typeof createECDH>;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

/** A message of one record (RFC 8188), encrypted for a receiver (RFC 8291). */
function decrypt(body: Buffer, { ecdh, p256dh, auth }: Receiver): string {
  const salt = body.subarray(0, 16);
  const [recordSize, idLength] = [body.readUInt32BE(16), body.readUInt8(20)];
  const sender = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  if (record.length > recordSize || body.length > 4_096) throw new Error("The message is too long.");
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, sender]);
  const derive = (key: Buffer, by: Buffer, what: Buffer, bytes: number) =>
    Buffer.from(hkdfSync("sha256", key, by, what, bytes));
  const shared = derive(ecdh.computeSecret(sender), auth, info, 32);
  const key = derive(shared, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(shared, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("The padding is wrong.");
  return padded.subarray(0, end).toString("utf8");
}
