const MASK = "••••";
/** Shorter ones would mask ordinary text, and are never part of a URL or body by themselves. */
const MIN_LENGTH = 4;

/** A text in which no secret can be read: as it is, as part of a URL, or inside of JSON. */
export function redact(text: string, secrets: Iterable<string>): string {
  return [...secrets]
    .flatMap((secret) => (secret.length < MIN_LENGTH ? [] : formsOf(secret)))
    .toSorted((a, b) => b.length - a.length)
    .reduce((clean, secret) => clean.replaceAll(secret, MASK), text);
}

function formsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)];
}
