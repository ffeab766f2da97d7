import { homedir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../errors/cli-error.ts";
import { readProfiles } from "./profiles.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";

const DEFAULT_URL = "http://127.0.0.1:4400";
/** Matches the start of a URL that lacks `http://`. */
const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-f:]+\]):\d+(?:\/|$)/i;

/** The command line options that take precedence over the environment. */
export interface SettingFlags {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly profile?: string | undefined;
}

/** The service of a command, and its key. */
export interface Settings {
  /** Without a trailing slash. */
  readonly url: string;
  readonly apiKey: string | undefined;
  /** The profile of these settings. */
  readonly profile: string;
}

/**
 * Reads the settings of the command line client: options first, then `MUSTER_URL` and `MUSTER_API_KEY`, then the
 * profile. An empty value counts as absent. The key of a profile is sent only to the profile's service.
 * @throws UsageError when the URL is not an http(s) URL, or the named profile does not exist.
 */
export function readSettings(flags: SettingFlags, env: NodeJS.ProcessEnv = process.env): Settings {
  const settings = loginSettings(flags, env);
  const isNamed = Boolean(flags.profile || env["MUSTER_PROFILE"]);
  if (isNamed && readProfiles(profilesFile(env)).profiles[settings.profile] === undefined) {
    throw new UsageError(
      `No profile is called "${settings.profile}". Create it: muster login --profile ${settings.profile}`,
    );
  }
  return settings;
}

/** Like {@link readSettings}, for a profile that may not exist yet. @throws UsageError. */
export function loginSettings(flags: SettingFlags, env: NodeJS.ProcessEnv = process.env): Settings {
  const stored = readProfiles(profilesFile(env));
  const profile = flags.profile || env["MUSTER_PROFILE"] || stored.current;
  const known = stored.profiles[profile];
  const url = checkedUrl(flags.url || env["MUSTER_URL"] || known?.url || DEFAULT_URL);
  const profileKey = known?.url === url ? known.key : undefined;
  return { url, apiKey: flags.key || env["MUSTER_API_KEY"] || profileKey, profile };
}

/** Returns the value of a variable that a file names; undefined when it is not set, or empty. */
export function variableOf(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env[name] || undefined;
}

/** Returns the path of the file with the profiles of `muster login`. */
export function profilesFile(env: NodeJS.ProcessEnv = process.env): string {
  return join(env["XDG_CONFIG_HOME"] || join(homeFolder(), ".config"), "muster", "profiles.json");
}

/** The user's folder; the root where the system knows no user with this number, as in a container or a systemd unit. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

/** Returns the URL of a service without a trailing slash. @throws UsageError. */
export function checkedUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const remedy = HOST_AND_PORT.test(url)
      ? `Did you mean http://${url}?`
      : `Set --url or MUSTER_URL to one such as ${DEFAULT_URL}.`;
    throw new UsageError(`"${url}" is not a URL. ${remedy}`);
  }
  return trimEndOf(url, "/");
}
