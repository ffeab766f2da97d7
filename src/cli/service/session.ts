import { createApi } from "./api.ts";
import type { Api } from "./api.ts";
import { createHttpClient } from "./http-client.ts";
import type { HttpClient } from "./http-client.ts";
import { readSettings } from "./settings.ts";
import type { SettingFlags, Settings } from "./settings.ts";
import { createOutput } from "../terminal/output.ts";
import type { Output } from "../terminal/output.ts";

/** What a command works with. */
export interface Session {
  readonly settings: Settings;
  readonly client: HttpClient;
  readonly api: Api;
  readonly out: Output;
}

/** Opens a session with the service that the options and the environment choose. @throws UsageError. */
export function openSession(flags: SettingFlags): Session {
  const settings = readSettings(flags);
  const client = createHttpClient(settings);
  return { settings, client, api: createApi(client), out: createOutput(process.stdout, process.stderr) };
}
