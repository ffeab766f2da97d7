import { createHmac } from "node:crypto";
import { areEqual } from "#lib/security/equal-texts.ts";
import { newId } from "#lib/ids.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";

/** How long a browser stays known after its last sign-in, in seconds: 180 days. */
export const DEVICE_SECONDS = 15_552_000;
const KEY_PURPOSE = "known-device";
const SECOND_MS = 1_000;

/**
 * Issues a token for a browser in which a person has signed in. It identifies the browser for one e-mail address and
 * grants no access. Wrong passwords sent with it are counted for this browser alone, so that strangers cannot lock the
 * person out (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 * @param deviceId the browser's id, if it was known already
 */
export function issueDeviceToken(
  secrets: Pick<SecretBox, "derive">,
  of: { readonly email: string; readonly deviceId: string | undefined; readonly now: number },
): string {
  const { email, deviceId = newId(), now } = of;
  const expires = Math.floor(now / SECOND_MS) + DEVICE_SECONDS;
  return `${deviceId}.${expires}.${signatureOf(secrets.derive(KEY_PURPOSE), { email, deviceId, expires })}`;
}

/** Returns the id of the browser with this token for this e-mail address; undefined for any other token. */
export function readDeviceToken(
  secrets: Pick<SecretBox, "deriveAll">,
  given: { readonly token: string | undefined; readonly email: string; readonly now: number },
): string | undefined {
  const { token = "", email, now } = given;
  const [deviceId = "", expiry = "", signature = ""] = token.split(".");
  const expires = Number(expiry);
  const isSigned = secrets
    .deriveAll(KEY_PURPOSE)
    .some((key) => areEqual(signature, signatureOf(key, { email, deviceId, expires })));
  return isSigned && expires * SECOND_MS > now ? deviceId : undefined;
}

function signatureOf(
  key: Buffer,
  { email, deviceId, expires }: { readonly email: string; readonly deviceId: string; readonly expires: number },
): string {
  const text = JSON.stringify([email.toLowerCase(), deviceId, expires]);
  return createHmac("sha256", key).update(text).digest("base64url");
}
