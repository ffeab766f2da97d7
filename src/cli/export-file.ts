import { writeFile } from "node:fs/promises";
import { IMPORT_FORMATS } from "#domain/agents/export-file.ts";
import { describeFileError } from "./errors/describe-file-error.ts";
import { UsageError } from "./errors/cli-error.ts";
import { EXIT } from "./errors/exit-codes.ts";
import type { ExitCode } from "./errors/exit-codes.ts";
import type { Output } from "./terminal/output.ts";

/** The option for the path of an exported file. */
export const OUTPUT_FILE_OPTION = {
  file: { type: "string", valueHint: "path", description: "Output path (default: standard output)" },
} as const;

/** The option for the `format` of an exported file, for systems that expect another one. */
export const FORMAT = {
  format: { type: "enum", options: [...IMPORT_FORMATS], description: "Format (default: muster-export)" },
} as const;

/** The path and the form of an exported file. */
export interface ExportTarget {
  readonly file: string | undefined;
  /** Prints one line of JSON: the exported file, or its path. */
  readonly json: boolean | undefined;
}

/**
 * Writes an exported file, indented, to a path or to standard output.
 * @throws UsageError when the path cannot be written.
 */
export async function writeExport(out: Output, exported: object, { file, json }: ExportTarget): Promise<ExitCode> {
  const text = JSON.stringify(exported, null, 2);
  if (file !== undefined) {
    await writeFile(file, `${text}\n`).catch((error: unknown) => {
      throw new UsageError(`Cannot write ${file}: ${describeFileError(error)}.`, { cause: error });
    });
  }
  if (json) out.json(file === undefined ? exported : { file });
  else if (file === undefined) out.line(text);
  else out.note(`Wrote ${file}`, "dim");
  return EXIT.ok;
}
