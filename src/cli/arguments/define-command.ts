import type { ExitCode } from "../errors/exit-codes.ts";

/** An argument of a command: an option `--name`, or a word at a position. */
export type ArgDef = {
  /** What it is, in a few words; shown in the help. */
  readonly description: string;
} & (
  | { readonly type: "string"; readonly valueHint?: string; readonly required?: true; readonly default?: string }
  | { readonly type: "boolean" }
  | { readonly type: "enum"; readonly options: readonly string[]; readonly required?: true; readonly default?: string }
  | {
      readonly type: "positional";
      readonly required?: boolean;
      readonly default?: string;
      /** All values that it may have. */
      readonly options?: readonly string[];
    }
);

/** The arguments of a command by their names. */
export type ArgsDef = Readonly<Record<string, ArgDef>>;

/** What a command's arguments hold after they were read. */
export type ArgumentValues = Readonly<Record<string, string | boolean | undefined>>;

/** A command of `muster`. */
export interface Command {
  readonly kind: "command";
  /** What it does, in one line. */
  readonly summary: string;
  readonly args: ArgsDef;
  /** Command lines that show its use, without the program's name. */
  readonly examples: readonly string[];
  /** Does the work with arguments that were checked. @throws CliError. */
  run(values: ArgumentValues): Promise<ExitCode>;
}

/** Commands under a common word. */
export interface CommandGroup {
  readonly kind: "group";
  readonly summary: string;
  readonly commands: Readonly<Record<string, () => Promise<Command | CommandGroup>>>;
}

/** A command or group in the registry: what the list of all commands shows, and how to load the rest. */
export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<Command | CommandGroup>;
}

type ValueOf<A extends ArgDef> = A extends { readonly type: "boolean" }
  ? boolean | undefined
  : A extends { readonly options: readonly (infer Option)[] }
    ? Option | Given<A>
    : string | Given<A>;

type Given<A> = A extends { readonly required: false }
  ? undefined
  : A extends { readonly required: true } | { readonly default: string } | { readonly type: "positional" }
    ? never
    : undefined;

/** The values of a command's arguments: those that may be left out may be undefined. */
export type Values<T extends ArgsDef> = { readonly [Name in keyof T]: ValueOf<T[Name]> };

/** Declares a command; `run` gets its arguments checked and typed. */
export function defineCommand<const T extends ArgsDef>(command: {
  readonly summary: string;
  readonly args: T;
  readonly examples?: readonly string[];
  readonly run: (args: Values<T>) => Promise<ExitCode>;
}): Command {
  const { summary, args, examples = [], run } = command;
  return { kind: "command", summary, args, examples, run: (values) => run(typed<T>(values)) };
}

/** Declares a group, such as `muster agents`: its subcommands by the words that name them. */
export function defineGroup(summary: string, commands: Readonly<Record<string, Command | CommandGroup>>): CommandGroup {
  const loaded = Object.entries(commands).map(([word, command]) => [word, () => Promise.resolve(command)] as const);
  return { kind: "group", summary, commands: Object.fromEntries(loaded) };
}

// The parser has checked the values against the same definitions that their type is made of.
function typed<T extends ArgsDef>(values: ArgumentValues): Values<T>;
function typed(values: ArgumentValues): object {
  return values;
}
