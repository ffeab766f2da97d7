/** What a file's content is good for: text and documents are read to a model, images are shown. */
export type MediaKind = "text" | "document" | "image";

/** A type of files that are taken. */
interface KnownType {
  readonly type: string;
  readonly kind: MediaKind;
  /** Endings of names, without the dot; the first is the usual one. */
  readonly endings: readonly string[];
  /** Other names of the type. */
  readonly aliases?: readonly string[];
}

/** Every type of files that can be uploaded. Whatever else is text becomes text/plain. */
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

/** Text that browsers and systems would run as a program of its own. */
const SCRIPTS = new Set(["text/javascript", "text/ecmascript", "text/vbscript"]);

/** The types that can be uploaded, by their usual names. */
export const ACCEPTED_TYPES: readonly string[] = KNOWN.map(({ type }) => type);

/** The same for people to read. */
export const UPLOADABLE = ACCEPTED_TYPES.join(", ");

/** The usual name of a type that can be uploaded; undefined for any other. Parameters such as a charset are passed over. */
export function uploadableType(type: string): string | undefined {
  const [bare = ""] = type.toLowerCase().split(";");
  const known = BY_TYPE.get(bare.trim());
  if (known !== undefined) return known.type;
  return bare.startsWith("text/") && !SCRIPTS.has(bare.trim()) ? "text/plain" : undefined;
}

/** The type that a file's name speaks of; undefined when its ending is not known. */
export function typeOfName(name: string): string | undefined {
  return BY_EXTENSION.get(extensionOf(name))?.type;
}

/** A name for a file that came without one, by its type: `file.png`. */
export function nameOfType(type: string): string {
  const [ending] = BY_TYPE.get(uploadableType(type) ?? "")?.endings ?? [];
  return ending === undefined ? "file" : `file.${ending}`;
}

/** What a file of an uploadable type is good for. */
export function kindOfType(type: string): MediaKind {
  return BY_TYPE.get(type)?.kind ?? "text";
}

/** What follows the last dot of a name, in lower case; empty without one. */
export function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

/**
 * The type that a file is shown as in a browser: images and pages as they are, other text as plain text, so that no
 * browser interprets it; undefined for what cannot be shown.
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
