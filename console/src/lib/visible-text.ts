/** Characters that turn the direction of the text around them, by which a text can look like another one. */
const DIRECTION_CONTROL = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text with its direction controls made visible, as `⟦U+202E⟧`. */
export function visibleText(text: string): string {
  return text.replaceAll(DIRECTION_CONTROL, (control) => `⟦U+${control.charCodeAt(0).toString(16).toUpperCase()}⟧`);
}
