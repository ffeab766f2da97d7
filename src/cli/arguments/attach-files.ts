import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { MusterClient } from "#client/index.ts";
import { parseList } from "./arguments.ts";
import { describeFileError } from "../errors/describe-file-error.ts";
import { UsageError } from "../errors/cli-error.ts";

/** The option of the commands that create tasks and runs. */
export const ATTACH_OPTION = {
  attach: { type: "string", valueHint: "a.pdf,b.png", description: "Files to attach, separated by commas" },
} as const;

/** Returns a form with a local file; the service determines its type. @throws UsageError when it cannot be read. */
export async function formWithFile(path: string): Promise<FormData> {
  const content = await readFile(path).catch((error: unknown) => {
    throw new UsageError(`Cannot read ${path}: ${describeFileError(error)}.`, { cause: error });
  });
  const form = new FormData();
  form.append("file", new File([new Uint8Array(content)], basename(path)));
  return form;
}

/** Uploads the files that {@link ATTACH_OPTION} names, one after another; returns their ids. @throws UsageError. */
export async function uploadAttachments(muster: MusterClient, paths: string | undefined): Promise<readonly string[]> {
  const forms = await Promise.all((parseList(paths) ?? []).map(formWithFile));
  const ids: string[] = [];
  for (const form of forms) ids.push((await muster.uploadFile(form)).id);
  return ids;
}
