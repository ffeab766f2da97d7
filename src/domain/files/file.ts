import { AppError } from "../errors.ts";
import { UPLOADABLE, extensionOf, kindOfType, typeOfName, uploadableType } from "./media-type.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";

/** Whether a file was given to a task or came out of one. */
export const FILE_DIRECTIONS = ["input", "output"] as const;

/** What a file's content turned out to be: a type that its bytes show, text in UTF-8, or neither. */
export type Sniffed = { readonly type: string } | "text" | "unknown";

/** A file as it arrived. */
export interface ArrivedFile {
  readonly name: string;
  /** The type its sender says it has; empty when it says none. */
  readonly declared: string;
  readonly sniffed: Sniffed;
}

const MAX_NAME_LENGTH = 200;
/** What is longer behind the last dot is a part of the name. */
const MAX_EXTENSION_LENGTH = 20;
const NO_NAME = "file";
/** What systems run when it is opened, whatever is in it. */
const PROGRAMS = new Set(["exe", "dll", "com", "scr", "msi", "bat", "cmd", "lnk", "hta", "vbs", "jar", "app"]);
/** The type of bytes that say nothing of themselves. */
const UNSPECIFIED = new Set(["", "application/octet-stream"]);

/**
 * A name that is safe in any folder: without the folders before it, invisible characters and what some
 * system forbids, at most 200 characters long; `file` when nothing is left.
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
 * The type of a file that may be uploaded: what its content shows, which must be what its sender says.
 * @throws AppError `unsupported_media_type` for a type that is not taken; `bad_request` when the content is not
 *   of the type that was declared.
 */
export function typeOfUpload({ name, declared, sniffed }: ArrivedFile): string {
  if (isProgram(name)) throw refused(`Programs (.${extensionOf(name)}) are not taken`);
  const said = UNSPECIFIED.has(declared) ? undefined : declared;
  const wanted = said === undefined ? typeOfName(name) : uploadableType(said);
  if (said !== undefined && wanted === undefined) throw refused(`Files of the type ${said} are not taken`);
  if (sniffed === "text") return textType(wanted, said);
  if (sniffed === "unknown") {
    if (wanted !== undefined) throw mismatch(said ?? wanted, "neither that nor text in UTF-8");
    throw refused("The type of the content is unknown, and it is not text in UTF-8");
  }
  const shown = uploadableType(sniffed.type);
  if (shown === undefined) throw refused(`The content is ${sniffed.type}, which is not taken`);
  if (wanted === undefined || wanted === shown) return shown;
  // What begins like XML may be a page, or text about it.
  if (shown === "application/xml" && kindOfType(wanted) === "text") return wanted;
  throw mismatch(said ?? wanted, sniffed.type);
}

/** Whether systems would run a file of this name when it is opened. */
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

function refused(reason: string): AppError {
  return new AppError("unsupported_media_type", `${reason}. Allowed: ${UPLOADABLE}, and other text.`);
}
