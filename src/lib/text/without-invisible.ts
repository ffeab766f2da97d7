/**
 * Invisible characters that change how a name reads: controls of the writing direction, and spaces without
 * width. Joiners stay: emoji and some scripts need them.
 */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Returns a name without invisible characters: two names that look alike are alike. */
export function withoutInvisible(name: string): string {
  return name.replaceAll(INVISIBLE, "");
}
