/**
 * Invisible characters that change how a name reads: controls of the writing direction, and spaces without
 * width. Joiners stay: emoji and some scripts need them.
 */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Returns a name without invisible characters: two names that look alike are alike. */
export function withoutInvisible(name: string): string {
  return name.replaceAll(INVISIBLE, "");
}

/** Everything invisible but line breaks and joiners: controls, formats, and separators of lines and paragraphs. */
const HIDDEN = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Writes what is invisible in JSON as escapes: it shows, and the JSON is the same. */
export function showInvisible(json: string): string {
  return json.replaceAll(HIDDEN, (hidden) =>
    hidden.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
