import { createHmac } from "node:crypto";
import { AppError } from "../errors.ts";
import { areEqual } from "#lib/security/equal-texts.ts";

/** How much the clocks of sender and service may differ, as Standard Webhooks and Slack recommend. */
const TOLERANCE_S = 300;
const STANDARD_PREFIX = "whsec_";
const HINT =
  "X-Hub-Signature-256 must be sha256=<hex>, HMAC-SHA256 of the body with the trigger's secret; the signatures of Standard Webhooks and Slack are accepted too.";

/** A delivery whose signature is to be checked. */
export interface SignedRequest {
  readonly body: Uint8Array;
  /** Reads a header. */
  header(name: string): string | undefined;
  readonly now: Date;
}

/** A way to sign. */
interface Scheme {
  /** The header with the signature: a request that has it is signed this way. */
  readonly header: string;
  /** Whether one of the signatures in the header is right. */
  isRight(secret: string, request: SignedRequest, signature: string): boolean;
  /** The id of the delivery that the signature covers; undefined when it covers only the body. */
  keyOf(request: SignedRequest, signature: string): string | undefined;
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const standardWebhooks: Scheme = {
  header: "Webhook-Signature",
  isRight(secret, { body, header, now }, signature) {
    const [id, time] = [header("Webhook-Id") ?? "", header("Webhook-Timestamp") ?? ""];
    const key = secret.startsWith(STANDARD_PREFIX)
      ? Buffer.from(secret.slice(STANDARD_PREFIX.length), "base64")
      : secret;
    const expected = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64");
    return id !== "" && isRecent(time, now) && signature.split(" ").some((one) => areEqual(one, `v1,${expected}`));
  },
  keyOf: ({ header }) => header("Webhook-Id"),
};

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
const slack: Scheme = {
  header: "X-Slack-Signature",
  isRight(secret, { body, header, now }, signature) {
    const time = header("X-Slack-Request-Timestamp") ?? "";
    const expected = createHmac("sha256", secret).update(`v0:${time}:`).update(body).digest("hex");
    return isRecent(time, now) && areEqual(signature, `v0=${expected}`);
  },
  keyOf: (_, signature) => signature,
};

function ofBody(header: string): Scheme {
  return {
    header,
    isRight: (secret, { body }, signature) =>
      areEqual(signature, `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`),
    keyOf: () => undefined,
  };
}

const SCHEMES = [standardWebhooks, slack, ofBody("X-Hub-Signature-256"), ofBody("X-Service-Signature")];

/**
 * Verifies the signature of a delivery. @returns the id that it covers, so that a captured request cannot be sent again
 * under another one; undefined when it covers only the body
 * @throws AppError `unauthorized` for a missing, wrong or old signature
 */
export function verifySignature(secret: string, request: SignedRequest): string | undefined {
  const scheme = SCHEMES.find(({ header }) => request.header(header) !== undefined);
  const signature = scheme === undefined ? "" : (request.header(scheme.header) ?? "");
  if (scheme === undefined || !scheme.isRight(secret, request, signature)) {
    throw new AppError("unauthorized", `Invalid signature. ${HINT}`);
  }
  return scheme.keyOf(request, signature);
}

function isRecent(seconds: string, now: Date): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() / 1_000 - Number(seconds)) <= TOLERANCE_S;
}
