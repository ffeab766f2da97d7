// Runs command lines one after another, each as `src/cli/main.ts` would, without loading the client again each time:
// started by fork(), controlled by messages, and ended with its worker.
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runCommandLine } from "../../../src/cli/run.ts";
import { commandOrder } from "./muster-host-messages.ts";
import type { CommandOrder, CommandReport } from "./muster-host-messages.ts";

/** Where a command runs that is not told where: an earlier one's folder may be gone. */
const FOLDER = process.cwd();

/** Ends a command that would end its process. */
class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`The command has ended with ${code}.`);
    this.code = code;
  }
}

const end = process.exit.bind(process);
process.exit = (code) => {
  throw new Exit(Number(code ?? 0));
};
process.on("message", (message) => {
  void runCommand(commandOrder.parse(message)).then((report) => process.send?.(report));
});
process.once("disconnect", () => end(0));

async function runCommand({ args, env, input, cwd }: CommandOrder): Promise<CommandReport> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd ?? FOLDER);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const streams = { stdin: Readable.from(input === "" ? [] : [Buffer.from(input)]), stdout, stderr };
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  const code = await runCommandLine(args).catch((error: unknown) => {
    if (error instanceof Exit) return error.code;
    stderr.write(error instanceof Error ? `${error.stack}\n` : String(error));
    return 1;
  });
  stdout.end();
  stderr.end();
  const [said, noted] = await written;
  return { code, stdout: said, stderr: noted };
}
