import { describeIssue } from "#domain/errors.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { safeText } from "../terminal/safe-text.ts";

/** What is wrong with a file of a workspace. */
export interface Mistake {
  /** Its path below the folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The field, such as `config.steps.0.agent_id`; "" for the whole. */
  readonly path: string;
  readonly message: string;
}

/** The files of a workspace have mistakes, for which nothing was changed. */
export class FilesError extends CliError {
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    const count = mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`;
    super(EXIT.failed, [`The files have ${count}; nothing was changed.`, ...mistakes.map(lineOf)].join("\n"));
    this.mistakes = mistakes;
  }
}

function lineOf({ file, line, path, message }: Mistake): string {
  return safeText(`  ${file}:${line}: ${describeIssue({ path, message })}`);
}
