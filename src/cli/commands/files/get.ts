import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { UsageError } from "../../errors/cli-error.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Fetch a file, under its own name unless --file says another; nothing is overwritten.",
  args: {
    id: { type: "positional", description: "Its id" },
    file: { type: "string", valueHint: "path", description: "Where to write it; - writes to standard output" },
    ...CONNECTION,
  },
  async run(args) {
    const { api, out } = openSession(args);
    const file = await api.getFile(args.id);
    if (args.json) {
      out.json(file);
      return EXIT.ok;
    }
    const content = await api.fetchContent(file);
    if (args.file === "-") process.stdout.write(content);
    else {
      // A name never leads out of the folder, whoever gave it.
      const path = args.file ?? basename(file.name);
      await writeNew(path, content);
      out.note(`Wrote ${path} (${content.length} bytes)`, "dim");
    }
    return EXIT.ok;
  },
});

async function writeNew(path: string, content: Uint8Array): Promise<void> {
  await writeFile(path, content, { flag: "wx" }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`Cannot write the file: ${reason}. Choose another place with --file.`, { cause: error });
  });
}
