import type { ExitCode } from "../errors/exit-codes.ts";

/** An argument of a command: an option `--name`, or a word at a position. */
export type ArgDef = {
  /** A few words for the help. */
  readonly description: string;
} & (
  | {
      readonly type: "string";
      readonly valueHint?: string;
      readonly required?: true;
      readonly default?: string;
      /** Another name of the option, which the help does not list. */
      readonly alias?: string;
      /** Whether it may be given several times; its value has commas between them. */
      readonly repeatable?: true;
    }
  | { readonly type: "boolean" }
  | { readonly type: "enum"; readonly options: readonly string[]; readonly required?: true; readonly default?: string }
  | {
      readonly type: "positional";
      readonly required?: boolean;
      readonly default?: string;
      /** The allowed values. */
      readonly options?: readonly string[];
    }
);

/** The arguments of a command, by name. */
export type ArgsDef = Readonly<Record<string, ArgDef>>;

/** The parsed arguments of a command, by name. */
export type ArgumentValues = Readonly<Record<string, string | boolean | undefined>>;

/** A command of `muster`. */
export interface Command {
  readonly kind: "command";
  /** One line for the help. */
  readonly summary: string;
  readonly args: ArgsDef;
  /** Example command lines, without the program's name. */
  readonly examples: readonly string[];
  /** Runs the command with validated arguments. @throws CliError. */
  run(values: ArgumentValues): Promise<ExitCode>;
}

/** Commands under a common first word. */
export interface CommandGroup {
  readonly kind: "group";
  readonly summary: string;
  readonly commands: Readonly<Record<string, () => Promise<Command | CommandGroup>>>;
}

/** A command or group in the registry: its summary, and how to load the rest. */
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

/** The values of a command's arguments; optional ones may be undefined. */
export type Values<T extends ArgsDef> = { readonly [Name in keyof T]: ValueOf<T[Name]> };

/** Declares a command; `run` gets validated and typed arguments. */
export function defineCommand<const T extends ArgsDef>(command: {
  readonly summary: string;
  readonly args: T;
  readonly examples?: readonly string[];
  readonly run: (args: Values<T>) => Promise<ExitCode>;
}): Command {
  const { summary, args, examples = [], run } = command;
  return { kind: "command", summary, args, examples, run: (values) => run(typed<T>(values)) };
}

/** Declares a group, such as `muster agents`, with its subcommands by name. */
export function defineGroup(summary: string, commands: Readonly<Record<string, Command | CommandGroup>>): CommandGroup {
  const loaded = Object.entries(commands).map(([word, command]) => [word, () => Promise.resolve(command)] as const);
  return { kind: "group", summary, commands: Object.fromEntries(loaded) };
}

// The parser has checked the values against the same definitions that their type is made of.
function typed<T extends ArgsDef>(values: ArgumentValues): Values<T>;
function typed(values: ArgumentValues): object {
  return values;
}
