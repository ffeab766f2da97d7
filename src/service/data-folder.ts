import { codeOf } from "#lib/error-code.ts";
/** File system errors that the operator must resolve, and how. */
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: "Let the user that runs Muster write there",
  EPERM: "Let the user that runs Muster write there",
  EROFS: "The file system is read-only: make it writable",
  ENOENT: "Nothing can be created there: choose a place on a disk",
  ENOTDIR: "A file has the name of the folder, or of one above it: remove the file",
  EEXIST: "A file has the name of the folder: remove it",
  ENOSPC: "The disk is full: free some space",
  EDQUOT: "The quota is used up: free some space",
};

/** The data folder cannot be used; the message names the setting, the path and what to do. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

/**
 * Runs a function that writes to the data folder.
 * @throws DataFolderError for a file system error that the operator must resolve
 */
export async function inDataFolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const advice = ADVICE[codeOf(error)];
    if (!(error instanceof Error) || advice === undefined) throw error;
    throw new DataFolderError(`MUSTER_DATA: ${error.message}. ${advice}, or set MUSTER_DATA to another folder.`, {
      cause: error,
    });
  }
}
