import { z } from "zod";
import { UsageError } from "../errors/cli-error.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";

const DEFAULT_URL = "http://127.0.0.1:4400";

const variables = z.object({
  MUSTER_URL: z.string().default(DEFAULT_URL),
  MUSTER_API_KEY: z.string().optional(),
  MUSTER_AGUI_KEY: z.string().optional(),
  NO_COLOR: z.string().optional(),
});

/** The command line options that go before the environment. */
export interface SettingFlags {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly "agui-key"?: string | undefined;
}

/** Which service a command talks to, and as whom. */
export interface Settings {
  /** Without a slash at its end. */
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly aguiKey: string | undefined;
}

/**
 * Reads the settings of the command line client: options first, then `MUSTER_URL`, `MUSTER_API_KEY`
 * and `MUSTER_AGUI_KEY`; an empty one counts as absent.
 * @throws UsageError when the address is not an http(s) URL.
 */
export function readSettings(flags: SettingFlags, env: NodeJS.ProcessEnv = process.env): Settings {
  const { MUSTER_URL, MUSTER_API_KEY, MUSTER_AGUI_KEY } = readVariables(env);
  return {
    url: checkedUrl(flags.url || MUSTER_URL),
    apiKey: flags.key || MUSTER_API_KEY,
    aguiKey: flags["agui-key"] || MUSTER_AGUI_KEY,
  };
}

/** Whether the user asked for output without colours (https://no-color.org). */
export function prefersNoColour(env: NodeJS.ProcessEnv = process.env): boolean {
  return readVariables(env).NO_COLOR !== undefined || env["TERM"] === "dumb";
}

function readVariables(env: NodeJS.ProcessEnv): z.output<typeof variables> {
  return variables.parse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== "")));
}

function checkedUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`"${url}" is not an address. Set --url or MUSTER_URL to one such as ${DEFAULT_URL}.`);
  }
  return trimEndOf(url, "/");
}
