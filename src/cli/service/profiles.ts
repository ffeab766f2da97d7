import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isRecord } from "#lib/is-record.ts";
import { UsageError } from "../errors/cli-error.ts";

/** The services and keys stored by `muster login`. */
export interface Profiles {
  /** The default profile. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, { readonly url: string; readonly key: string }>>;
}

const NO_PROFILES: Profiles = { current: "default", profiles: {} };

/** Reads the profiles of this user. @throws UsageError when the file is damaged. */
export function readProfiles(file: string): Profiles {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return NO_PROFILES;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isProfiles(value)) return value;
    throw new TypeError("It does not hold profiles.");
  } catch (cause) {
    throw new UsageError(`${file} is damaged. Delete it and run: muster login`, { cause });
  }
}

function isProfiles(value: unknown): value is Profiles {
  if (!isRecord(value)) return false;
  const { current, profiles } = value;
  return typeof current === "string" && isRecord(profiles) && Object.values(profiles).every(isProfile);
}

function isProfile(value: unknown): boolean {
  return isRecord(value) && typeof value["url"] === "string" && typeof value["key"] === "string";
}

/** Writes the profiles of this user to a file with mode 0600. @throws UsageError when it cannot be written. */
export function saveProfiles(file: string, profiles: Profiles): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (cause) {
    throw new UsageError(`Cannot write ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
