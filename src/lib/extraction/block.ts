/** A piece of a document that belongs together: a paragraph, a row, a heading. */
export interface Block {
  readonly text: string;
  /** The page on which it begins, from 1; null where there are no pages. */
  readonly page: number | null;
  /** Whether it is a heading, of what follows. */
  readonly kind: "heading" | "body";
}

/** A paragraph. */
export function body(text: string, page: number | null = null): Block {
  return { text, page, kind: "body" };
}

/** A heading. */
export function heading(text: string): Block {
  return { text, page: null, kind: "heading" };
}

/** Texts between empty lines. */
export function paragraphs(text: string): string[] {
  return text.split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/);
}
