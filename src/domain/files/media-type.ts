/** How a file's content is used: models receive text and documents as text, and images as images. */
export type MediaKind = "text" | "document" | "image";

/** An accepted media type. */
interface KnownType {
  readonly type: string;
  readonly kind: MediaKind;
  /** File extensions, without the dot; the first is the default. */
  readonly endings: readonly string[];
  /** Other names of the type. */
  readonly aliases?: readonly string[];
}

/** The media types that can be uploaded. Any other text becomes text/plain. */
const KNOWN: readonly KnownType[] = [
  { type: "text/plain", kind: "text", endings: ["txt", "text", "log"] },
  { type: "text/markdown", kind: "text", endings: ["md", "markdown"], aliases: ["text/x-markdown"] },
  { type: "text/csv", kind: "text", endings: ["csv"], aliases: ["application/csv"] },
  { type: "text/tab-separated-values", kind: "text", endings: ["tsv"] },
  { type: "text/html", kind: "text", endings: ["html", "htm"] },
  { type: "application/json", kind: "text", endings: ["json"], aliases: ["text/json"] },
  { type: "application/xml", kind: "text", endings: ["xml"], aliases: ["text/xml"] },
  {
    type: "application/yaml",
    kind: "text",
    endings: ["yaml", "yml"],
    aliases: ["application/x-yaml", "text/yaml", "text/x-yaml"],
  },
  { type: "application/pdf", kind: "document", endings: ["pdf"] },
  {
    type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    kind: "document",
    endings: ["docx"],
  },
  { type: "image/png", kind: "image", endings: ["png"], aliases: ["image/apng"] },
  { type: "image/jpeg", kind: "image", endings: ["jpg", "jpeg"], aliases: ["image/jpg"] },
  { type: "image/gif", kind: "image", endings: ["gif"] },
  { type: "image/webp", kind: "image", endings: ["webp"] },
];

const BY_TYPE = new Map(KNOWN.flatMap((known) => [known.type, ...(known.aliases ?? [])].map((name) => [name, known])));
const BY_EXTENSION = new Map(KNOWN.flatMap((known) => known.endings.map((ending) => [ending, known])));

/** Text that browsers or systems would execute. */
const SCRIPTS = new Set(["text/javascript", "text/ecmascript", "text/vbscript"]);

/** The types that can be uploaded, by canonical name. */
export const ACCEPTED_TYPES: readonly string[] = KNOWN.map(({ type }) => type);

/** The same as text for messages. */
export const UPLOADABLE = ACCEPTED_TYPES.join(", ");

/**
 * Returns the canonical name of a type that can be uploaded; undefined for any other. Parameters such as a charset are
 * ignored.
 */
export function uploadableType(type: string): string | undefined {
  const [bare = ""] = type.toLowerCase().split(";");
  const known = BY_TYPE.get(bare.trim());
  if (known !== undefined) return known.type;
  return bare.startsWith("text/") && !SCRIPTS.has(bare.trim()) ? "text/plain" : undefined;
}

/** Returns the type of a file name's extension; undefined for an unknown one. */
export function typeOfName(name: string): string | undefined {
  return BY_EXTENSION.get(extensionOf(name))?.type;
}

/** Returns a name for a file without one, by its type: `file.png`. */
export function nameOfType(type: string): string {
  const [ending] = BY_TYPE.get(uploadableType(type) ?? "")?.endings ?? [];
  return ending === undefined ? "file" : `file.${ending}`;
}

/** Returns how a file of an uploadable type is used. */
export function kindOfType(type: string): MediaKind {
  return BY_TYPE.get(type)?.kind ?? "text";
}

/** Returns the part after the last dot of a name, in lower case; empty without a dot. */
export function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/**
 * Returns the type with which a browser shows a file: images and pages as they are, other text as plain text, so that
 * no browser interprets it; undefined if it cannot be shown.
 */
export function previewTypeOf(type: string): string | undefined {
  switch (kindOfType(type)) {
    case "image":
      return type;
    case "text":
      return type === "text/html" ? type : "text/plain";
    case "document":
      return undefined;
  }
}
