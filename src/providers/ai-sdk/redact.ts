const MAX_MESSAGE_LENGTH = 1_000;
const MIN_SECRET_LENGTH = 4;
const CUT = "[redacted]";

/** Things that look like a credential, whoever they belong to; the groups before them stay. */
const CREDENTIALS: readonly RegExp[] = [
  /()\bsk-[\w*-]{4,}/g, // OpenAI, Anthropic and most look-alikes, also when half masked
  /()\bAIza[\w-]{20,}/g, // Google
  /(\bBearer\s+)[\w.~+/=*-]{4,}/gi,
  /(\b(?:api[-_]?key|key|token|secret)\s*[=:]\s*["']?)[\w.~+/*-]{8,}/gi,
];

/**
 * A message without the given secret and without anything that looks like a credential,
 * cut to 1,000 characters.
 */
export function redact(message: string, secret: string | undefined): string {
  return withoutSecrets(message, secret).slice(0, MAX_MESSAGE_LENGTH);
}

/** A whole text without the given secret and without anything that looks like a credential. */
export function withoutSecrets(text: string, secret: string | undefined): string {
  const withoutSecret =
    secret !== undefined && secret.length >= MIN_SECRET_LENGTH ? text.replaceAll(secret, CUT) : text;
  return CREDENTIALS.reduce((rest, pattern) => rest.replace(pattern, `$1${CUT}`), withoutSecret);
}
