import { MusterError } from "#client/index.ts";
import type { MusterClient, Schemas } from "#client/index.ts";
import { RESOURCES_FORMAT, RESOURCES_VERSION, VARIABLE } from "#domain/resources/resource.ts";
import { asBody } from "../arguments/as-body.ts";
import { FilesError } from "./mistake.ts";
import type { Mistake } from "./mistake.ts";
import type { Folder } from "./read-folder.ts";

/** A workspace compared with a folder, and the values of the folder's variables. */
export interface Comparison {
  readonly plan: Schemas["ResourcesPlan"];
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Compares a workspace with a folder. Only variables that stand in a secret of the folder leave this machine.
 * @throws FilesError with the lines of what the service rejects
 */
export async function compareFolder(
  muster: MusterClient,
  folder: Folder,
  valueOf: (name: string) => string | undefined,
): Promise<Comparison> {
  const plan = await withLines(folder, () => muster.diffWorkspace(asBody(bodyOf(folder))));
  const named = new Set(JSON.stringify(folder.files.map(({ fields }) => fields)).match(VARIABLE));
  const given = plan.variables.flatMap((name) => {
    const value = valueOf(name);
    return value !== undefined && named.has(`\${${name}}`) ? [[name, value] as const] : [];
  });
  if (given.length === 0) return { plan, variables: {} };
  const variables = Object.fromEntries(given);
  const whole = await withLines(folder, () => muster.diffWorkspace(asBody({ ...bodyOf(folder), variables })));
  return { plan: whole, variables };
}

/** Applies a folder. @throws FilesError as {@link compareFolder} */
export function applyFolder(
  muster: MusterClient,
  folder: Folder,
  options: {
    readonly revision: string;
    readonly variables: Readonly<Record<string, string>>;
    readonly prune: boolean;
    readonly dry_run: boolean;
  },
): Promise<Schemas["ResourcesPlan"]> {
  return withLines(folder, () => muster.applyWorkspace(asBody({ ...bodyOf(folder), ...options })));
}

function bodyOf({ resources, files }: Folder) {
  return {
    format: RESOURCES_FORMAT,
    version: RESOURCES_VERSION,
    resources,
    documents: files.map(({ fields }) => fields),
  };
}

async function withLines<T>({ files }: Folder, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof MusterError)) throw error;
    const mistakes = error.details.flatMap(({ path, message }): Mistake[] => {
      const [of, index, ...parts] = path.split(".");
      const file = of === "documents" ? files[Number(index)] : undefined;
      // Another document is known here by its file.
      const said = message.replaceAll(
        /documents\.(\d+)/g,
        (whole, other: string) => files[Number(other)]?.file ?? whole,
      );
      return file === undefined
        ? []
        : [{ file: file.file, line: file.lineOf(parts), path: parts.join("."), message: said }];
    });
    throw mistakes.length > 0 ? new FilesError(mistakes) : error;
  }
}
