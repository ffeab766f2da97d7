import { z } from "zod";

/** A command line to run. */
export const commandOrder = z.object({
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  input: z.string(),
  cwd: z.string().optional(),
});
/** A command that the host executes. */
export type CommandOrder = z.output<typeof commandOrder>;

/** How it ended. */
export const commandReport = z.object({ code: z.number().nullable(), stdout: z.string(), stderr: z.string() });
/** The outcome of a command. */
export type CommandReport = z.output<typeof commandReport>;
