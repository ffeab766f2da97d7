import { z } from "zod";
import { findResultFile } from "#db/queries/files/result-files.ts";
import { serviceIn } from "#domain/access/role.ts";
import { defineTool } from "#tools/define-tool.ts";
import type { Tool } from "#tools/define-tool.ts";
import { maxResultLength } from "../run/context-window.ts";
import { readContent } from "../run/file-contents.ts";
import type { EngineServices, Run } from "../run/run-context.ts";

/** The name of the tool that reads stored results. */
export const READ_RESULT = "read_result";

/** The length of the line above a part. */
const MAX_HEADER = 80;

/**
 * Creates the tool that reads more of a result that was too long to be shown, if the run, or an earlier one of its
 * conversation, has seen its beginning.
 */
export function createReadResult(engine: EngineServices, run: Run): Tool {
  const earlier = (run.job.conversation ?? []).flatMap(({ of }) => (of === undefined ? [] : [of.runId]));
  const max = maxResultLength(engine, run) - MAX_HEADER;
  return defineTool({
    name: READ_RESULT,
    description:
      "Reads a part of a stored tool result, of which you have seen the beginning. Positions and lengths are in characters.",
    input: z.strictObject({
      id: z.uuid().describe("The id that the beginning of the result names."),
      from: z.int().min(0).default(0),
      length: z.int().min(1).max(max).default(max),
    }),
    async execute({ id, from, length }, { workspaceId, subjectId, signal }) {
      const found = await findResultFile(engine.db.inWorkspace(serviceIn(workspaceId)), {
        id,
        runIds: [subjectId, ...earlier],
      });
      if (found === undefined) throw new Error("There is no stored result with this id in this conversation.");
      const text = new TextDecoder().decode(await readContent(engine, found.blobKey, signal));
      if (from >= text.length) throw new Error(`The result has only ${text.length} characters.`);
      const end = Math.min(from + length, text.length);
      return `[Characters ${from} to ${end} of ${text.length}]\n${text.slice(from, end).toWellFormed()}`;
    },
  });
}
