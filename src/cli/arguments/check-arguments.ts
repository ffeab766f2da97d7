import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";
import type { ArgsDef } from "citty";
import { UsageError } from "../errors/cli-error.ts";
import { nearest } from "../terminal/nearest.ts";

/**
 * Rejects what citty lets pass: unknown options, options without their value, and words too many.
 * @throws UsageError with the known options.
 */
export function checkArguments(args: ArgsDef, argv: readonly string[]): void {
  const options = optionsOf(args);
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const positionals = Object.values(args).filter(({ type }) => type === "positional").length;
  let words = 0;
  for (const token of tokens) {
    if (token.kind === "positional" && ++words > positionals) {
      throw new UsageError(`Unexpected argument "${token.value}". Put quotes around a value of several words.`);
    }
    if (token.kind !== "option") continue;
    const option = options[token.name];
    if (option === undefined) throw unknownOption(token.rawName, Object.keys(options));
    const { inlineValue, value } = token;
    if (option.type === "boolean" && value !== undefined) {
      throw new UsageError(`${token.rawName} takes no value.`);
    }
    // `--title --watch` forgot the title; `--title=--watch` means it.
    if (option.type === "string" && (value === undefined || (!inlineValue && isKnown(value, options)))) {
      throw new UsageError(`${token.rawName} needs a value: ${token.rawName} <${token.name}>`);
    }
  }
}

type Options = NonNullable<ParseArgsConfig["options"]>;

function optionsOf(args: ArgsDef): Options {
  const named = Object.entries(args).filter(([, { type }]) => type !== "positional");
  return Object.fromEntries(
    named.map(([name, { type }]) => [name, { type: type === "boolean" ? "boolean" : "string" } as const]),
  );
}

function isKnown(value: string, options: Options): boolean {
  return value.startsWith("--") && value.slice(2).replace(/=.*/s, "") in options;
}

function unknownOption(given: string, names: readonly string[]): UsageError {
  const near = nearest(given.replace(/^-+/, ""), names);
  const known = names.map((name) => `--${name}`).join(", ");
  return new UsageError(
    `Unknown option ${given}.${near === undefined ? "" : ` Did you mean --${near}?`}\nKnown options: ${known}, --help`,
  );
}
