import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { createOutput } from "../terminal/output.ts";
import { askSecret, isInteractive } from "../terminal/prompt.ts";

const service = () => import("../../service/move/run.ts");

const FOLDER = { type: "positional", description: "Folder of the export", required: true } as const;
const PASSPHRASE = {
  "passphrase-file": {
    type: "string",
    valueHint: "path",
    description: "File whose first line is the passphrase for the secrets; without it, the command asks",
  },
  json: { type: "boolean", description: "Print JSON for programs" },
} as const;

const exportCommand = defineCommand({
  summary: "Export a held workspace with all its data into a folder, to move it to another installation",
  examples: ["workspace export acme acme.export --passphrase-file passphrase.txt"],
  args: {
    slug: { type: "positional", description: "Slug or id of the workspace", required: true },
    folder: FOLDER,
    ...PASSPHRASE,
  },
  async run({ slug, folder, json, "passphrase-file": file }) {
    const passphrase = await passphraseFrom(file);
    const { header, manifest } = await (await service()).exportHere(slug, { folder, passphrase });
    if (json) print({ workspace: header.workspace, left_out: header.left_out, missing: manifest.missing });
    return EXIT.ok;
  },
});

const importCommand = defineCommand({
  summary: "Import a workspace from the folder of an export; it is held until muster ops release",
  examples: ["workspace import acme.export --passphrase-file passphrase.txt"],
  args: {
    folder: FOLDER,
    ...PASSPHRASE,
    abandon: { type: "boolean", description: "Forget an import that was interrupted, instead of continuing it" },
  },
  async run({ folder, json, abandon, "passphrase-file": file }) {
    if (abandon) {
      await (await service()).abandonHere(folder);
      return EXIT.ok;
    }
    const passphrase = await passphraseFrom(file);
    const { header, slug, name, people = [] } = await (await service()).importHere({ folder, passphrase });
    if (json) {
      const told = people.map(({ email, new_id: id, is_new, is_program }) => ({ id, email, is_new, is_program }));
      print({ workspace: { id: header.workspace.id, slug, name }, people: told, left_out: header.left_out });
    }
    return EXIT.ok;
  },
});

async function passphraseFrom(file: string | undefined): Promise<string> {
  if (file !== undefined) return (await service()).readPassphrase(file);
  if (!isInteractive()) throw new UsageError("Give --passphrase-file.");
  return askSecret("Passphrase of the export");
}

function print(value: object): void {
  createOutput(process.stdout, process.stderr).json(value);
}

/** `muster workspace …` */
export default defineGroup("Move a workspace to another installation; needs access to the database", {
  export: exportCommand,
  import: importCommand,
});
