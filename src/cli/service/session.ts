import type { MusterClient } from "#client/index.ts";
import { connect } from "./connect.ts";
import { readSettings } from "./settings.ts";
import type { SettingFlags, Settings } from "./settings.ts";
import { createOutput } from "../terminal/output.ts";
import type { Output } from "../terminal/output.ts";
import { progressLine } from "../terminal/progress.ts";
import { safeText } from "../terminal/safe-text.ts";

/** The client and output of a command. */
export interface Session {
  readonly settings: Settings;
  readonly muster: MusterClient;
  readonly out: Output;
}

/** Opens a session with the service of the options and the environment. @throws UsageError. */
export function openSession(flags: SettingFlags): Session {
  const settings = readSettings(flags);
  const out = createOutput(process.stdout, process.stderr);
  const muster = connect(settings, {
    onWarning: (warning) => out.note(safeText(warning), "yellow"),
    ...(process.stderr.isTTY && {
      onUpload: (share) => out.status(share < 1 ? progressLine("Uploading", share) : "Storing …"),
    }),
  });
  return { settings, muster, out };
}
