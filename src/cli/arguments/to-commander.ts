import { Argument, Command as Commander, InvalidArgumentError, Option } from "commander";
import { CONNECTION } from "./arguments.ts";
import { UsageError } from "../errors/cli-error.ts";
import type { ArgDef, ArgumentValues, Command } from "./define-command.ts";

const CONNECTION_HEADING = "Connection:";

/** Converts the definition of a command to one of commander's; `run` gets the values of its arguments. */
export function toCommander(
  word: string,
  { summary, args, examples }: Command,
  run: (values: ArgumentValues) => Promise<void>,
): Commander {
  const command = new Commander(word).description(summary);
  const names = Object.keys(args);
  for (const [name, definition] of Object.entries(args)) {
    if (definition.type === "positional") command.addArgument(positional(name, definition));
    else {
      command.addOption(option(name, definition, names));
      const alias = aliasOf(definition);
      if (alias !== undefined) command.addOption(option(alias, definition, names).hideHelp());
    }
  }
  const required = names.filter((name) => isRequired(args[name]));
  const usage = required.map((name) => optionFlags(name, args[name]));
  command.usage([...usage, "[options]", ...command.registeredArguments.map(argumentTerm)].join(" "));
  if (examples.length > 0) command.addHelpText("after", () => exampleText(examples));
  return command.action(async () => {
    const values = valuesOf(command, args);
    // Checked here, and not by commander, so that the error names the misspelt option first.
    const missing = required.filter((name) => values[name] === undefined);
    if (missing.length > 0) {
      const options = missing.map((name) => `--${name}`).join(" and ");
      throw new UsageError(`Missing ${options}.\nSee: ${wordsOf(command)} --help`);
    }
    await run(values);
  });
}

function positional(name: string, definition: ArgDef & { readonly type: "positional" }): Argument {
  const isOptional = definition.required === false || definition.default !== undefined;
  const argument = new Argument(isOptional ? `[${name}]` : `<${name}>`, definition.description);
  if (definition.options !== undefined) argument.choices(definition.options);
  return definition.default === undefined ? argument : argument.default(definition.default);
}

function option(name: string, definition: Exclude<ArgDef, { type: "positional" }>, names: readonly string[]): Option {
  const made = new Option(optionFlags(name, definition), definition.description);
  if (name in CONNECTION) made.helpGroup(CONNECTION_HEADING);
  if (definition.type === "boolean") return made;
  if (definition.type === "enum") made.choices(definition.options);
  else if (definition.repeatable === true) {
    made.argParser((given: string, before: string | undefined) =>
      [...(before === undefined ? [] : [before]), checkedValue(given, names)].join(","),
    );
  } else made.argParser((given: string) => checkedValue(given, names));
  if (definition.default !== undefined) made.default(definition.default);
  return made;
}

function isRequired(definition: ArgDef | undefined): boolean {
  return definition !== undefined && "required" in definition && definition.type !== "positional";
}

function aliasOf(definition: ArgDef): string | undefined {
  return definition.type === "string" ? definition.alias : undefined;
}

/** Returns the command as it is typed, such as `muster tasks create`. */
function wordsOf(command: Commander): string {
  return command.parent === null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`;
}

function argumentTerm(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function optionFlags(name: string, definition: ArgDef | undefined): string {
  if (definition === undefined || definition.type === "boolean" || definition.type === "positional") return `--${name}`;
  const hint = definition.type === "enum" ? "value" : (definition.valueHint ?? "text");
  return `--${name} <${hint}>`;
}

/** In `--title --watch` the title is missing: an option of the same command is not a value. */
function checkedValue(given: string, names: readonly string[]): string {
  if (given.startsWith("--") && names.includes(given.slice(2))) {
    throw new InvalidArgumentError(`It needs a value, and ${given} is an option.`);
  }
  return given;
}

function exampleText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  $ muster ${example}`).join("\n")}`;
}

function valuesOf(command: Commander, args: Command["args"]): ArgumentValues {
  const words = Object.keys(args).filter((name) => args[name]?.type === "positional");
  // Connection options may stand before the command's name, where its parents read them.
  const options = command.optsWithGlobals<Record<string, unknown>>();
  return Object.fromEntries(
    Object.keys(args).map((name) => {
      const index = words.indexOf(name);
      return [name, checkedType(index === -1 ? optionValue(name, args[name], options) : command.processedArgs[index])];
    }),
  );
}

/** @throws UsageError when the option is given by both its names. */
function optionValue(name: string, definition: ArgDef | undefined, options: Record<string, unknown>): unknown {
  const value = options[camelCase(name)];
  const alias = definition && aliasOf(definition);
  const other = alias === undefined ? undefined : options[camelCase(alias)];
  if (value !== undefined && other !== undefined) throw new UsageError(`Give --${name} or --${alias}, not both.`);
  return value ?? other;
}

function checkedType(given: unknown): ArgumentValues[string] {
  if (given === undefined || typeof given === "string" || typeof given === "boolean") return given;
  throw new TypeError(`The parser of the command line returned a value of the type ${typeof given}.`);
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
