/** The formats of documents whose text can be read, with the media types and file endings that declare them. */
const DECLARATIONS = {
  text: { label: "plain text", types: ["text/plain"], endings: ["txt", "text", "log"] },
  markdown: { label: "Markdown", types: ["text/markdown", "text/x-markdown"], endings: ["md", "markdown"] },
  html: { label: "HTML", types: ["text/html", "application/xhtml+xml"], endings: ["html", "htm", "xhtml"] },
  csv: { label: "CSV", types: ["text/csv", "application/csv"], endings: ["csv"] },
  json: { label: "JSON", types: ["application/json"], endings: ["json"] },
  pdf: { label: "PDF", types: ["application/pdf"], endings: ["pdf"] },
  docx: {
    label: "Word (docx)",
    types: ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    endings: ["docx"],
  },
} as const;

/** A format of documents whose text can be read. */
export type DocumentFormat = keyof typeof DECLARATIONS;

/** All of them. */
export const DOCUMENT_FORMATS = ["text", "markdown", "html", "csv", "json", "pdf", "docx"] as const;

/** Endings of file names that are understood, for messages. */
export const KNOWN_EXTENSIONS: readonly string[] = DOCUMENT_FORMATS.map((format) => DECLARATIONS[format].endings[0]);

/** The name of a format for people. */
export function formatLabel(format: DocumentFormat): string {
  return DECLARATIONS[format].label;
}

/** The usual media type of a format. */
export function mediaTypeOf(format: DocumentFormat): string {
  return DECLARATIONS[format].types[0];
}

/** Media types with which programs say that they do not know. */
const VAGUE = new Set(["", "application/octet-stream", "binary/octet-stream"]);

/**
 * The format that a file is declared to have: by its media type, or where that says nothing, by the ending of its
 * name. Plain text counts as saying little: what is called `.md` or `.csv` is that. Undefined for any other.
 */
export function declaredFormat(name: string, mediaType: string): DocumentFormat | undefined {
  const type = mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
  const byExtension = find((format) => hasPart(DECLARATIONS[format].endings, ending));
  if (VAGUE.has(type)) return byExtension;
  const byType = find((format) => hasPart(DECLARATIONS[format].types, type));
  return byType === "text" ? (byExtension ?? byType) : byType;
}

function find(matches: (format: DocumentFormat) => boolean): DocumentFormat | undefined {
  return DOCUMENT_FORMATS.find(matches);
}

function hasPart(known: readonly string[], part: string): boolean {
  return known.includes(part);
}
