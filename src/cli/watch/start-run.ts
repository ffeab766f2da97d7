import { CONNECTION, RUN_INPUT } from "../arguments/arguments.ts";
import { ATTACH_OPTION, uploadAttachments } from "../arguments/attach-files.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { ExitCode } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";
import type { SettingFlags } from "../service/settings.ts";
import { readAllInput } from "../terminal/input.ts";
import { watchRun } from "./watch-run.ts";

/** The options of the commands that start a team run. */
export const START_RUN = {
  ...RUN_INPUT,
  ...ATTACH_OPTION,
  watch: { type: "boolean", description: "Follow the steps and wait for the end" },
  ...CONNECTION,
} as const;

/** The values of {@link START_RUN}, and the team. */
interface RunStart extends SettingFlags {
  readonly team: string;
  readonly input: string;
  readonly attach?: string | undefined;
  readonly watch?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Starts a team run, and follows it with `watch`; returns the exit code. */
export async function startRun(args: RunStart): Promise<ExitCode> {
  const { watch, json } = args;
  const session = openSession(args);
  const { muster, out } = session;
  const teamId = await resolveId(muster, "team", args.team);
  const input = args.input === "-" ? await readAllInput(out, "the work") : args.input;
  const attachments = await uploadAttachments(muster, args.attach);
  const run = await muster.startTeamRun({ team_id: teamId, input_task: input, attachments });
  if (watch) {
    out.note(`Run ${run.id}`, "dim");
    return watchRun(session, run.id, json ? "json" : "text");
  }
  if (json) out.json(run);
  else {
    out.line(`Started run ${run.id} (${run.status})`);
    out.note(`See it work: muster runs watch ${run.id}`, "dim");
  }
  return EXIT.ok;
}
