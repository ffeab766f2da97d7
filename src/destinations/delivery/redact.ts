const MASK = "••••";
/** Shorter secrets are not masked: that would mask ordinary text, and they never are a complete URL or body. */
const MIN_LENGTH = 4;

/** Masks all secrets in a text: literally, URL-encoded, and inside JSON strings. */
export function redact(text: string, secrets: Iterable<string>): string {
  return [...secrets]
    .flatMap((secret) => (secret.length < MIN_LENGTH ? [] : formsOf(secret)))
    .toSorted((a, b) => b.length - a.length)
    .reduce((clean, secret) => clean.replaceAll(secret, MASK), text);
}

function formsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)];
}
