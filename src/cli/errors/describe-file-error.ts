import { codeOf } from "#lib/error-code.ts";
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "this user may not open it",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
  EEXIST: "it already exists",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
};

/** Returns the reason why a file could not be read or written. */
export function describeFileError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return REASONS[codeOf(error)] ?? error.message;
}
