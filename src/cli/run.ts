import { styleText } from "node:util";
import { CommanderError, Command as Commander, Option } from "commander";
import { VERSION } from "#domain/version.ts";
import { CONNECTION } from "./arguments/arguments.ts";
import type { Command, CommandGroup } from "./arguments/define-command.ts";
import { toCommander } from "./arguments/to-commander.ts";
import { COMMANDS } from "./commands/gen/registry.ts";
import { completions } from "./complete.ts";
import { MusterError } from "#client/index.ts";
import { CliError, UsageError } from "./errors/cli-error.ts";
import { explainFailure } from "./errors/explain-failure.ts";
import { usageMessage } from "./errors/usage-message.ts";
import { EXIT } from "./errors/exit-codes.ts";
import type { ExitCode } from "./errors/exit-codes.ts";
import { rootHelp } from "./root-help.ts";
import { SECTIONS } from "./sections.ts";
import { createOutput, supportsColor } from "./terminal/output.ts";

/** Descriptions of options are wrapped in a column as narrow as this. */
const MIN_HELP_WIDTH = 12;
/** The hidden commands of the scripts of `muster completion`, without and with descriptions. */
const COMPLETE = new Set(["complete", "complete-described"]);

/** Runs a command line, without the program's name; prints errors to standard error. */
export async function runCommandLine(argv: readonly string[]): Promise<ExitCode> {
  const out = createOutput(process.stdout, process.stderr);
  let exitCode: ExitCode = EXIT.ok;
  try {
    const program = await buildProgram(argv, (code) => (exitCode = code));
    const [first = "", ...words] = argv;
    if (COMPLETE.has(first)) {
      for (const { word, description } of await completions(program, words)) {
        out.line(first === "complete" || description === undefined ? word : `${word}\t${description}`);
      }
      return EXIT.ok;
    }
    await program.parseAsync(withHelpOption(argv), { from: "user" });
    return exitCode;
  } catch (error) {
    const shown = error instanceof CommanderError ? usageError(error, argv) : explained(error);
    if (shown === undefined) return EXIT.ok;
    if (!(shown instanceof CliError)) throw error;
    const [failure = "", ...more] = shown.message.split("\n");
    if (failure !== "") out.note(failure, "red");
    for (const line of more) out.note(line);
    return shown.exitCode;
  }
}

/** Converts a failed request to this program's error; returns other errors unchanged. */
function explained(error: unknown): unknown {
  return error instanceof MusterError ? explainFailure(error) : error;
}

/** Builds the program with the named command, or with the names and summaries of all. */
async function buildProgram(argv: readonly string[], end: (code: ExitCode) => void): Promise<Commander> {
  const program = new Commander("muster").description("Run AI agents and durable tasks from the command line");
  program.version(VERSION, "-v, --version", "Show the version");
  for (const [name, { type, description }] of Object.entries(CONNECTION)) {
    program.addOption(new Option(type === "boolean" ? `--${name}` : `--${name} <${name}>`, description));
  }
  const wanted = argv.find((word) => Object.hasOwn(COMMANDS, word));
  for (const { title, commands } of SECTIONS) {
    for (const word of wanted === undefined ? commands : commands.filter((name) => name === wanted)) {
      const entry = COMMANDS[word];
      if (entry === undefined) continue;
      const { summary, load } = entry;
      const node = word === wanted ? await toNode(word, await load(), end) : new Commander(word).description(summary);
      program.addCommand(node.helpGroup(`${title}:`));
    }
  }
  return configure(program.addHelpText("after", rootHelp));
}

async function toNode(word: string, node: Command | CommandGroup, end: (code: ExitCode) => void): Promise<Commander> {
  if (node.kind === "command") return toCommander(word, node, async (values) => end(await node.run(values)));
  const group = new Commander(word).description(node.summary);
  for (const [name, load] of Object.entries(node.commands)) group.addCommand(await toNode(name, await load(), end));
  return group;
}

/** On every level, errors are thrown instead of printed, and the help is wrapped and styled for the terminal. */
function configure(command: Commander): Commander {
  command
    .exitOverride()
    .configureOutput({ writeErr: (text) => void process.stderr.write(text), outputError: () => undefined })
    .configureHelp({
      minWidthToWrap: MIN_HELP_WIDTH,
      styleTitle: (title) => styleText("bold", title, { validateStream: false }),
      subcommandTerm: (each) => each.name(),
    })
    .configureOutput({
      getOutHasColors: () => supportsColor(process.stdout),
      getErrHasColors: () => supportsColor(process.stderr),
    })
    .allowExcessArguments(false)
    .helpOption("-h, --help", "Show this help")
    .helpCommand(false);
  command.commands.forEach(configure);
  return command;
}

/** `muster help tasks create` is `muster tasks create --help`. */
function withHelpOption(argv: readonly string[]): string[] {
  return argv[0] === "help" ? [...argv.slice(1), "--help"] : [...argv];
}

/** Returns the parser's error in our words; undefined if it printed the requested help or version. */
function usageError({ code, message }: CommanderError, argv: readonly string[]): UsageError | undefined {
  if (code === "commander.helpDisplayed" || code === "commander.version") return undefined;
  // A group without a subcommand has printed its help as an error already.
  if (code === "commander.help") return new UsageError("");
  const end = argv.findIndex((word) => word.startsWith("-"));
  const typed = end === -1 ? argv : argv.slice(0, end);
  const [group, ...rest] = typed.filter((word) => /^[a-z-]+$/.test(word));
  const known = group === undefined || !Object.hasOwn(COMMANDS, group) ? [] : [group, ...rest];
  const path = code === "commander.unknownCommand" ? known.slice(0, 1) : known.slice(0, 2);
  return new UsageError(`${usageMessage(message)}\nSee: ${["muster", ...path, "--help"].join(" ")}`);
}
