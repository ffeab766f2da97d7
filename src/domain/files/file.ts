import { AppError } from "../errors.ts";
import { UPLOADABLE, extensionOf, kindOfType, typeOfName, uploadableType } from "./media-type.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";

/** Whether a file is a task's input or output. */
export const FILE_DIRECTIONS = ["input", "output"] as const;

/** The detected content of a file: a type that its bytes show, text in UTF-8, or neither. */
export type DetectedContent = { readonly type: string } | "text" | "unknown";

/** A file as received. */
export interface ReceivedFile {
  readonly name: string;
  /** The media type that the sender declares; empty for none. */
  readonly declared: string;
  readonly sniffed: DetectedContent;
}

const MAX_NAME_LENGTH = 200;
/** A longer suffix counts as a part of the name. */
const MAX_EXTENSION_LENGTH = 20;
const NO_NAME = "file";
/** Extensions that systems execute when opened, whatever the content. */
const PROGRAMS = new Set(["exe", "dll", "com", "scr", "msi", "bat", "cmd", "lnk", "hta", "vbs", "jar", "app"]);
/** Media types without information. */
const UNSPECIFIED = new Set(["", "application/octet-stream"]);

/**
 * Returns a name that is safe in any folder, of at most 200 characters: without folders, invisible characters and
 * characters that any system forbids; `file` when nothing remains.
 */
export function safeName(given: string): string {
  const [last = ""] = given.toWellFormed().normalize("NFC").split(/[/\\]/).slice(-1);
  const clean = last.replaceAll(/[\p{Cc}\p{Cf}<>:"|?*]/gu, "").trim();
  const name = trimEndOf(clean.replace(/^\.+/, ""), ". ");
  if (name === "") return NO_NAME;
  if (name.length <= MAX_NAME_LENGTH) return name;
  const ending = extensionOf(name);
  const kept = ending === "" || ending.length > MAX_EXTENSION_LENGTH ? "" : `.${ending}`;
  return name.slice(0, MAX_NAME_LENGTH - kept.length).toWellFormed() + kept;
}

/**
 * Returns the media type of an upload: the detected one, which must match the declared one.
 * @throws AppError `unsupported_media_type` for a type that is not accepted; `bad_request` when the content does not  
 * match the declared type.
 */
export function typeOfUpload({ name, declared, sniffed }: ReceivedFile): string {
  if (isProgram(name)) throw unsupportedFile(`Programs (.${extensionOf(name)}) are not accepted`);
  const said = UNSPECIFIED.has(declared) ? undefined : declared;
  const wanted = said === undefined ? typeOfName(name) : uploadableType(said);
  if (said !== undefined && wanted === undefined) throw unsupportedFile(`Files of the type ${said} are not accepted`);
  if (sniffed === "text") return textType(wanted, said);
  if (sniffed === "unknown") {
    if (wanted !== undefined) throw mismatch(said ?? wanted, "neither that nor text in UTF-8");
    throw unsupportedFile("The type of the content is unknown, and it is not text in UTF-8");
  }
  const shown = uploadableType(sniffed.type);
  if (shown === undefined) throw unsupportedFile(`The content is ${sniffed.type}, which is not accepted`);
  if (wanted === undefined || wanted === shown) return shown;
  // A start like XML may be a page, or text about it.
  if (shown === "application/xml" && kindOfType(wanted) === "text") return wanted;
  throw mismatch(said ?? wanted, sniffed.type);
}

/** True if systems would execute a file of this name when opened. */
export function isProgram(name: string): boolean {
  return PROGRAMS.has(extensionOf(name));
}

function textType(wanted: string | undefined, said: string | undefined): string {
  if (wanted === undefined) return "text/plain";
  if (kindOfType(wanted) !== "text") throw mismatch(said ?? wanted, "text");
  return wanted;
}

function mismatch(said: string, shown: string): AppError {
  return new AppError("bad_request", `The file is declared as ${said}, but its content is ${shown}.`);
}

function unsupportedFile(reason: string): AppError {
  return new AppError("unsupported_media_type", `${reason}. Allowed: ${UPLOADABLE}, and other text.`);
}
