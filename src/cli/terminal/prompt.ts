import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";

/** Loaded by the first prompt, because most commands have none. */
const loadPrompts = () => import("@clack/prompts");

// Questions go to standard error: standard output is for data.
const streams = () => ({ input: process.stdin, output: process.stderr, withGuide: false });

/** An option of a prompt. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  /** An explanation, shown after the label. */
  readonly hint?: string | undefined;
}

/** Whether this process can prompt a person. */
export function isInteractive(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks a person for confirmation.
 * @param effect the consequences
 * @throws CliError when the person declines, and where no person can be asked: a program must say `--yes`
 */
export async function confirm(question: string, effect: string): Promise<void> {
  if (!isInteractive()) {
    throw new CliError(EXIT.usage, `${question} Nothing was changed: without a terminal, add --yes.\n${effect}`);
  }
  if (!(await askYesNo(`${question}\n${effect}`))) throw new CliError(EXIT.failed, "Cancelled; nothing was changed.");
}

/** Asks a yes/no question; no is preselected. @throws CliError when the person aborts. */
export async function askYesNo(
  message: string,
  labels: { readonly active?: string; readonly inactive?: string } = {},
  signal?: AbortSignal,
): Promise<boolean> {
  const prompts = await loadPrompts();
  return answered<boolean>(
    await prompts.confirm({ ...streams(), ...labels, message, initialValue: false, ...(signal && { signal }) }),
  );
}

/** Asks for one of several options; returns its value. @throws CliError when the person aborts. */
export async function askChoice(message: string, choices: readonly Choice[], signal?: AbortSignal): Promise<string> {
  const options = choices.map(({ value, label, hint }) => ({ value, label, ...(hint !== undefined && { hint }) }));
  const { select } = await loadPrompts();
  return answered<string>(await select({ ...streams(), message, options, ...(signal && { signal }) }));
}

/** A prompt for a text. */
export interface TextQuestion {
  readonly message: string;
  readonly placeholder?: string | undefined;
  readonly initialValue?: string | undefined;
  /** The result if the person types nothing. */
  readonly defaultValue?: string | undefined;
  /** Returns what is wrong with a text; undefined if it is valid. */
  readonly validate?: (given: string) => string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Asks for a text. @throws CliError when the person aborts. */
export async function askText(question: TextQuestion): Promise<string> {
  const { message, placeholder, initialValue, defaultValue, validate, signal } = question;
  const { text } = await loadPrompts();
  return answered<string>(
    await text({
      ...streams(),
      message,
      ...(placeholder !== undefined && { placeholder }),
      ...(initialValue !== undefined && { initialValue }),
      ...(defaultValue !== undefined && { defaultValue }),
      ...(validate && { validate: (given) => validate(given || (defaultValue ?? "")) }),
      ...(signal && { signal }),
    }),
  );
}

/** Asks for a secret; the input is hidden. @throws CliError when the person aborts. */
export async function askSecret(message: string): Promise<string> {
  const { password } = await loadPrompts();
  return answered<string>(await password({ ...streams(), message }));
}

function answered<T extends string | boolean>(answer: T | symbol): T {
  if (typeof answer === "symbol") {
    throw new CliError(EXIT.interrupted, "Cancelled; nothing was changed.");
  }
  return answer;
}
