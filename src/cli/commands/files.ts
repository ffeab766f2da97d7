import { CONNECTION } from "../arguments/arguments.ts";
import { formWithFile } from "../arguments/attach-files.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { describeFileError } from "../errors/describe-file-error.ts";
import { UnreachableError, UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { resolveId, resolveOptionalId } from "../arguments/resolve-record.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { formatSize } from "#lib/text/format-size.ts";

const upload = defineRequest({
  summary: "Upload a file; attach it to a task or run within a day",
  args: { path: { type: "positional", description: "Path of the file" } },
  send: async ({ muster }, { path }) => muster.uploadFile(await formWithFile(path)),
  print: ({ out }, { id, name, type, size }) => out.line(`Uploaded ${name} (${type}, ${formatSize(size)}) as ${id}`),
});

const list = defineList({
  summary: "List files, newest first",
  args: {
    task: { type: "string", valueHint: "id or title", description: "Only files of this task" },
    run: { type: "string", valueHint: "id", description: "Only files of this run" },
  },
  async read(muster, { task, run, limit }) {
    const taskId = await resolveOptionalId(muster, "task", task);
    const runId = await resolveOptionalId(muster, "run", run);
    return muster.listFiles({ task_id: taskId, run_id: runId, limit });
  },
  none: ({ task, run }) => noneYet("file", task ?? run),
  row: (file) => ({
    ID: file.id,
    NAME: file.name,
    TYPE: file.type,
    BYTES: file.size,
    DIRECTION: file.direction,
    OF: file.task_id ?? file.run_id,
    CREATED: formatTime(file.created_at),
  }),
});

const get = defineCommand({
  summary: "Download a file under its own name or --file; never overwrites",
  args: {
    id: { type: "positional", description: "Id or name" },
    file: { type: "string", valueHint: "path", description: "Where to write it; - writes to standard output" },
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out, settings } = openSession(args);
    const file = await muster.getFile({ id: await resolveId(muster, "file", args.id) });
    if (args.json) {
      out.json(file);
      return EXIT.ok;
    }
    const content = await fetchContent(settings.url, file);
    if (args.file === "-") process.stdout.write(content);
    else {
      // A name must not lead out of the folder.
      const path = args.file ?? basename(file.name);
      await writeNew(path, content);
      out.note(`Wrote ${path} (${formatSize(content.length)})`, "dim");
    }
    return EXIT.ok;
  },
});

const remove = defineDeletion({
  kind: "file",
  effect: "Tasks that list it keep their text.",
  remove: (muster, id) => muster.deleteFile({ id }),
});

/** `muster files …` */
export default defineGroup("Manage files of tasks and runs", { upload, list, get, delete: remove });

async function writeNew(path: string, content: Uint8Array): Promise<void> {
  await writeFile(path, content, { flag: "wx" }).catch((error: unknown) => {
    throw new UsageError(`Cannot write ${path}: ${describeFileError(error)}. Choose another place with --file.`, {
      cause: error,
    });
  });
}

/**
 * Fetches the content of a file. Its URL needs no key. Only its path is used, since this client may reach the service
 * under another host name.
 * @throws UnreachableError
 */
async function fetchContent(serviceUrl: string, file: { readonly url: string }): Promise<Uint8Array> {
  const { pathname, search } = new URL(file.url);
  try {
    const response = await fetch(serviceUrl + pathname + search);
    if (response.ok) return await response.bytes();
    throw new Error(`status ${response.status}`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnreachableError(`Cannot download the file: ${reason}.`, { cause });
  }
}
