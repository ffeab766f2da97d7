const MAX_MESSAGE_LENGTH = 1_000;
const MIN_SECRET_LENGTH = 4;
const CUT = "[redacted]";

/** Patterns of credentials; the groups before them are kept. */
const CREDENTIALS: readonly RegExp[] = [
  /()\bsk-[\w*-]{4,}/g, // OpenAI, Anthropic and most look-alikes, also when half masked
  /()\bAIza[\w-]+/g, // Google
  /(\bBearer\s+)[\w.~+/=*-]{4,}/gi,
  /((?:key|token|secret)\s*[=:]\s*["']?)[\w.~+/*-]{8,}/gi, // also api_key, access_token, client_secret
];

/**
 * Removes the given secret and anything that looks like a credential from a message, and truncates it to 1,000
 * characters.
 */
export function redact(message: string, secret: string | undefined): string {
  return withoutSecrets(message, secret).slice(0, MAX_MESSAGE_LENGTH);
}

/** Removes the given secret and anything that looks like a credential from a text. */
export function withoutSecrets(text: string, secret: string | undefined): string {
  const withoutSecret =
    secret !== undefined && secret.length >= MIN_SECRET_LENGTH ? text.replaceAll(secret, CUT) : text;
  return CREDENTIALS.reduce((rest, pattern) => rest.replace(pattern, `$1${CUT}`), withoutSecret);
}
