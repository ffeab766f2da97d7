import type { ExitCode } from "../errors/exit-codes.ts";
import type { Output } from "../terminal/output.ts";
import { FilesError } from "./mistake.ts";

/** Runs a command; with `--json`, mistakes of its files are printed as JSON, for CI. */
export async function reportMistakes(
  out: Output,
  { json }: { readonly json: boolean | undefined },
  run: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    if (json !== true || !(error instanceof FilesError)) throw error;
    out.json({ mistakes: error.mistakes });
    return error.exitCode;
  }
}
