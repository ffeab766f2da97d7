import { stripVTControlCharacters } from "node:util";
import packageFile from "../../package.json" with { type: "json" };
import { CONNECTION } from "./arguments/arguments.ts";
import { COMMANDS } from "./commands/registry.ts";
import type { Command, CommandGroup } from "./arguments/define-command.ts";
import { usageOf } from "./arguments/define-command.ts";
import { CliError, UsageError } from "./errors/cli-error.ts";
import { EXIT } from "./errors/exit-codes.ts";
import type { ExitCode } from "./errors/exit-codes.ts";
import { nearest } from "./terminal/nearest.ts";
import { createOutput, showsColour } from "./terminal/output.ts";

const HELP = new Set(["--help", "-h"]);
const VERSION = new Set(["--version", "-v"]);

const ROOT_HELP = `
ENVIRONMENT

  MUSTER_URL       URL of the service; --url takes precedence. Default http://127.0.0.1:4400
  MUSTER_API_KEY   API key, mst_…; --key takes precedence
  MUSTER_AGUI_KEY  AG-UI key, mst_agui_…, to stream a watched task's text
  NO_COLOR         Disable colours

EXIT CODES

  0 success   1 the task failed, or the service rejected the request   2 wrong usage   3 service not reachable
  4 key missing or rejected   130 stopped watching`;

const muster: CommandGroup = {
  kind: "group",
  summary: "Run AI agents and durable tasks from the command line",
  commands: COMMANDS,
};

/** Runs a command line, without the program's name; explains on standard error what went wrong. */
export async function runCommandLine(argv: readonly string[]): Promise<ExitCode> {
  const out = createOutput(process.stdout, process.stderr);
  try {
    if (argv.length === 1 && argv.every((word) => VERSION.has(word))) {
      out.line(packageFile.version);
      return EXIT.ok;
    }
    const { node, path, rest } = await findCommand(argv);
    if (asksForHelp(argv)) {
      process.stdout.write(await helpText(node, path, process.stdout));
      return EXIT.ok;
    }
    if (node.kind === "command") return await node.run(rest);
    process.stderr.write(await helpText(node, path, process.stderr));
    return EXIT.usage;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const [first = "", ...more] = error.message.split("\n");
    out.note(first, "red");
    for (const line of more) out.note(line);
    return error.exitCode;
  }
}

interface Found {
  readonly node: Command | CommandGroup;
  readonly path: readonly string[];
  /** The command's arguments; connection options that stood before its name are among them. */
  readonly rest: readonly string[];
}

async function findCommand(argv: readonly string[]): Promise<Found> {
  let node: Command | CommandGroup = muster;
  const path = ["muster"];
  const before: string[] = [];
  let index = argv[0] === "help" ? 1 : 0;
  for (; node.kind === "group" && index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (word.startsWith("-")) {
      before.push(word);
      if (takesValue(word)) before.push(...argv.slice(++index, index + 1));
      continue;
    }
    node = await step(node, path, word);
    path.push(word);
  }
  return { node, path, rest: [...before, ...argv.slice(index)] };
}

function takesValue(option: string): boolean {
  return Object.entries(CONNECTION).some(([name, { type }]) => type === "string" && option === `--${name}`);
}

function step(group: CommandGroup, path: readonly string[], word: string): Promise<Command | CommandGroup> {
  const names = Object.keys(group.commands);
  const load = Object.hasOwn(group.commands, word) ? group.commands[word] : undefined;
  if (load !== undefined) return load();
  const near = nearest(word, names);
  const meant = near === undefined ? "" : ` Did you mean "${[...path, near].join(" ")}"?`;
  throw new UsageError(`Unknown command "${[...path, word].join(" ")}".${meant}\nKnown commands: ${names.join(", ")}`);
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const options = end === -1 ? argv : argv.slice(0, end);
  return argv[0] === "help" || options.some((word) => HELP.has(word));
}

async function helpText(
  node: Command | CommandGroup,
  path: readonly string[],
  to: NodeJS.WriteStream,
): Promise<string> {
  const usage = await usageOf(node, path);
  const text = path.length === 1 ? `${usage}\n${ROOT_HELP}` : usage;
  const plain = showsColour(to) ? text : stripVTControlCharacters(text);
  return `${plain
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd()}\n`;
}
