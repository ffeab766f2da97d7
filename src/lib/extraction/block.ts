/** A unit of a document: a paragraph, a row or a heading. */
export interface Block {
  readonly text: string;
  /** The page of its beginning, from 1; null without pages. */
  readonly page: number | null;
  /** Whether it is the heading of the following blocks. */
  readonly kind: "heading" | "body";
}

/** What a reader finds in a document. */
export interface Extracted {
  readonly blocks: readonly Block[];
  /** What could not be read in full, with its place and the reason: whole sentences for the owner of the document. */
  readonly warnings: readonly string[];
}

/** A paragraph. */
export function body(text: string, page: number | null = null): Block {
  return { text, page, kind: "body" };
}

/** A heading. */
export function heading(text: string): Block {
  return { text, page: null, kind: "heading" };
}

/** Splits a text at empty lines. */
export function paragraphs(text: string): string[] {
  return text.split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/);
}
