/** The readable document formats, with their media types and file extensions. */
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

/** A readable document format. */
export type DocumentFormat = keyof typeof DECLARATIONS;

/** All formats. */
export const DOCUMENT_FORMATS = ["text", "markdown", "html", "csv", "json", "pdf", "docx"] as const;

/** The known file extensions, for messages. */
export const KNOWN_EXTENSIONS: readonly string[] = DOCUMENT_FORMATS.map((format) => DECLARATIONS[format].endings[0]);

/** A format's display name. */
export function formatLabel(format: DocumentFormat): string {
  return DECLARATIONS[format].label;
}

/** A format's usual media type. */
export function mediaTypeOf(format: DocumentFormat): string {
  return DECLARATIONS[format].types[0];
}

/** Generic media types, sent by programs that do not know the type. */
const GENERIC_TYPES = new Set(["", "application/octet-stream", "binary/octet-stream"]);

/**
 * The declared format of a file: by its media type, or if that is generic, by its extension. Plain text counts as
 * generic, because `.md` and `.csv` files are often sent as such. Undefined for other types.
 */
export function declaredFormat(name: string, mediaType: string): DocumentFormat | undefined {
  const type = mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
  const byExtension = find((format) => hasPart(DECLARATIONS[format].endings, ending));
  if (GENERIC_TYPES.has(type)) return byExtension;
  const byType = find((format) => hasPart(DECLARATIONS[format].types, type));
  return byType === "text" ? (byExtension ?? byType) : byType;
}

function find(matches: (format: DocumentFormat) => boolean): DocumentFormat | undefined {
  return DOCUMENT_FORMATS.find(matches);
}

function hasPart(known: readonly string[], part: string): boolean {
  return known.includes(part);
}
