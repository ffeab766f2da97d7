import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { UsageError } from "../errors/cli-error.ts";

const profilesAnswer = z.object({
  /** The profile that is used when none is named. */
  current: z.string(),
  profiles: z.record(z.string(), z.object({ url: z.string(), key: z.string() })),
});

/** The services that `muster login` knows, each with its key. */
export type Profiles = z.output<typeof profilesAnswer>;

const NO_PROFILES: Profiles = { current: "default", profiles: {} };

/** Reads the profiles of this user. @throws UsageError when the file exists and is not one of profiles. */
export function readProfiles(file: string): Profiles {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return NO_PROFILES;
  }
  try {
    return profilesAnswer.parse(JSON.parse(text));
  } catch (cause) {
    throw new UsageError(`${file} is damaged. Delete it and run: muster login`, { cause });
  }
}

/** Replaces the profiles of this user in a file of mode 0600. @throws UsageError when it cannot be written. */
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
