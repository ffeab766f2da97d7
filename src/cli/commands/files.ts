import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { formWithFile } from "../arguments/attach-files.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { describeFileError } from "../errors/describe-file-error.ts";
import { UnreachableError, UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { resolveId, resolveOptionalId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { formatSize } from "#lib/text/format-size.ts";

const upload = defineCommand({
  summary: "Upload a file; attach it to a task or run within a day",
  args: { path: { type: "positional", description: "Path of the file" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const file = await muster.uploadFile(await formWithFile(args.path));
    if (args.json) out.json(file);
    else out.line(`Uploaded ${file.name} (${file.type}, ${formatSize(file.size)}) as ${file.id}`);
    return EXIT.ok;
  },
});

const list = defineCommand({
  summary: "List files, newest first",
  args: {
    task: { type: "string", valueHint: "id or title", description: "Only files of this task" },
    run: { type: "string", valueHint: "id", description: "Only files of this run" },
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const { task, run } = args;
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const [taskId, runId] = [
      await resolveOptionalId(muster, "task", task),
      await resolveOptionalId(muster, "run", run),
    ];
    const filter = { ...(taskId && { task_id: taskId }), ...(runId && { run_id: runId }) };
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listFiles({ ...filter, limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No files. Upload one: muster files upload report.pdf");
    else {
      const rows = items.map((file) => [
        file.id,
        file.name,
        file.type,
        String(file.size),
        file.direction,
        file.task_id ?? file.run_id ?? "",
        formatTime(file.created_at),
      ]);
      const headings = ["ID", "NAME", "TYPE", "BYTES", "DIRECTION", "OF", "CREATED"];
      out.table(headings, rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
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
