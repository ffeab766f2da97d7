import type { Command as Commander } from "commander";

/**
 * The words that may follow on a command line whose last word is still being typed: subcommands, options, and the
 * values of options that are of a list.
 */
export function completions(program: Commander, words: readonly string[]): readonly string[] {
  const current = words.at(-1) ?? "";
  const typed = words.slice(0, -1);
  let command = program;
  for (const word of typed) command = command.commands.find((each) => each.name() === word) ?? command;
  const before = command.options.find(({ long }) => long !== undefined && long === typed.at(-1));
  if (before !== undefined && !before.isBoolean()) return startingWith(before.argChoices ?? [], current);
  const options = [...command.options, ...program.options].flatMap(({ long }) => long ?? []);
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const names = [...command.commands.map((each) => each.name()), ...choices];
  return startingWith(current.startsWith("-") ? [...new Set([...options, "--help"])] : names, current);
}

function startingWith(candidates: readonly string[], start: string): readonly string[] {
  return candidates.filter((candidate) => candidate.startsWith(start));
}
