import { stripVTControlCharacters } from "node:util";
import { parseArgs, renderUsage } from "citty";
import type { ArgDef, ArgsDef } from "citty";
import { checkArguments } from "./check-arguments.ts";
import { UsageError } from "../errors/cli-error.ts";
import type { ExitCode } from "../errors/exit-codes.ts";

/** A command of `muster`. */
export interface Command {
  readonly kind: "command";
  /** What it does, in one line. */
  readonly summary: string;
  /** Its arguments in citty's form. */
  readonly args: ArgsDef;
  /** Checks and reads the arguments, then does the work. @throws CliError. */
  run(argv: readonly string[]): Promise<ExitCode>;
}

/** Commands under a common word. */
export interface CommandGroup {
  readonly kind: "group";
  readonly summary: string;
  readonly commands: Readonly<Record<string, () => Promise<Command | CommandGroup>>>;
}

type ValueOf<A extends ArgDef> = A extends { readonly type: "boolean" }
  ? boolean | undefined
  : A extends { readonly type: "enum"; readonly options: readonly (infer Option)[] }
    ? Option | Given<A>
    : string | Given<A>;

type Given<A> = A extends { readonly required: true } | { readonly default: string } | { readonly type: "positional" }
  ? never
  : undefined;

/** The values of a command's arguments: those that may be left out may be undefined. */
export type Values<T extends ArgsDef> = { readonly [Name in keyof T]: ValueOf<T[Name]> };

/** Declares a command; `run` gets its arguments checked and typed. */
export function defineCommand<const T extends ArgsDef>(command: {
  readonly summary: string;
  readonly args: T;
  readonly run: (args: Values<T>) => Promise<ExitCode>;
}): Command {
  const { summary, args, run } = command;
  return {
    kind: "command",
    summary,
    args,
    run(argv) {
      checkArguments(args, argv);
      return run(readValues(argv, args));
    },
  };
}

/** Declares a group, such as `muster agents`: its subcommands by the words that name them. */
export function defineGroup(summary: string, commands: Readonly<Record<string, Command | CommandGroup>>): CommandGroup {
  const loaded = Object.entries(commands).map(([word, command]) => [word, () => Promise.resolve(command)] as const);
  return { kind: "group", summary, commands: Object.fromEntries(loaded) };
}

/** The help of a command or a group. @param path the words that lead to it, such as `["muster", "tasks"]` */
export async function usageOf(node: Command | CommandGroup, path: readonly string[]): Promise<string> {
  const parent = { meta: { name: path.slice(0, -1).join(" ") } };
  const meta = { name: path.at(-1) ?? "", description: node.summary };
  if (node.kind === "command") return renderUsage({ meta, args: node.args }, parent);
  const loaded = Object.entries(node.commands).map(async ([name, load]) => {
    const { summary } = await load();
    return [name, { meta: { name, description: summary } }] as const;
  });
  return renderUsage({ meta, subCommands: Object.fromEntries(await Promise.all(loaded)) }, parent);
}

// citty's own type of the values has no undefined in it: this overload says what is there.
function readValues<T extends ArgsDef>(argv: readonly string[], args: T): Values<T>;
function readValues(argv: readonly string[], args: ArgsDef): object {
  try {
    return parseArgs([...argv], args);
  } catch (error) {
    if (!(error instanceof Error && error.name === "CLIError")) throw error;
    throw new UsageError(`${stripVTControlCharacters(error.message).replace(/\.$/, "")}.`, { cause: error });
  }
}
