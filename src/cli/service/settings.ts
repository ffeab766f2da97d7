import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { UsageError } from "../errors/cli-error.ts";
import { readProfiles } from "./profiles.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";

const DEFAULT_URL = "http://127.0.0.1:4400";

const variables = z.object({
  MUSTER_URL: z.string().optional(),
  MUSTER_API_KEY: z.string().optional(),
  MUSTER_PROFILE: z.string().optional(),
  XDG_CONFIG_HOME: z.string().optional(),
  NO_COLOR: z.string().optional(),
});

/** The command line options that take precedence over the environment. */
export interface SettingFlags {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly profile?: string | undefined;
}

/** Which service a command talks to, and as whom. */
export interface Settings {
  /** Without a slash at its end. */
  readonly url: string;
  readonly apiKey: string | undefined;
  /** The profile that they are of, or would be stored in. */
  readonly profile: string;
}

/**
 * Reads the settings of the command line client: options first, then `MUSTER_URL` and `MUSTER_API_KEY`, then the
 * profile; an empty one counts as absent. The key of a profile is sent to the profile's service only.
 * @throws UsageError when the URL is not an http(s) URL, or a profile was named that does not exist.
 */
export function readSettings(flags: SettingFlags, env: NodeJS.ProcessEnv = process.env): Settings {
  const settings = loginSettings(flags, env);
  const isNamed = (flags.profile || readVariables(env).MUSTER_PROFILE) !== undefined;
  if (isNamed && readProfiles(profilesFile(env)).profiles[settings.profile] === undefined) {
    throw new UsageError(
      `There is no profile "${settings.profile}". Create it: muster login --profile ${settings.profile}`,
    );
  }
  return settings;
}

/** As {@link readSettings}, for a profile that need not exist yet. @throws UsageError. */
export function loginSettings(flags: SettingFlags, env: NodeJS.ProcessEnv = process.env): Settings {
  const { MUSTER_URL, MUSTER_API_KEY, MUSTER_PROFILE } = readVariables(env);
  const stored = readProfiles(profilesFile(env));
  const profile = flags.profile || MUSTER_PROFILE || stored.current;
  const known = stored.profiles[profile];
  const url = checkedUrl(flags.url || MUSTER_URL || known?.url || DEFAULT_URL);
  const profileKey = known?.url === url ? known.key : undefined;
  return { url, apiKey: flags.key || MUSTER_API_KEY || profileKey, profile };
}

/** The file in which `muster login` keeps its profiles. */
export function profilesFile(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME = join(homedir(), ".config") } = readVariables(env);
  return join(XDG_CONFIG_HOME, "muster", "profiles.json");
}

/** Whether the user asked for output without colours (https://no-color.org). */
export function prefersNoColor(env: NodeJS.ProcessEnv = process.env): boolean {
  return readVariables(env).NO_COLOR !== undefined || env["TERM"] === "dumb";
}

function readVariables(env: NodeJS.ProcessEnv): z.output<typeof variables> {
  return variables.parse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== "")));
}

/** A URL of a service without a slash at its end. @throws UsageError. */
export function checkedUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`"${url}" is not a URL. Set --url or MUSTER_URL to one such as ${DEFAULT_URL}.`);
  }
  return trimEndOf(url, "/");
}
