import { describeContent } from "#operations/tools/describe-content.ts";
import type { ToolContent } from "#operations/tools/describe-content.ts";
import type { FileOfTool, StoredToolFile, ToolContext, ToolOutput } from "#tools/define-tool.ts";

/** The number of files stored per result; further ones are only described. */
const MAX_FILES = 10;
/** The maximum size of an image that providers accept, in bytes. */
const MAX_IMAGE_BYTES = 5 * 1_048_576;

/** Returns a foreign tool's or agent's result for the model: its texts, and its files, stored as files of the task. */
export async function toToolOutput(content: readonly ToolContent[], context: ToolContext): Promise<ToolOutput> {
  const images: StoredToolFile[] = [];
  const lines: string[] = [];
  let files = 0;
  for (const part of content) {
    if ("text" in part) lines.push(part.text);
    else {
      files += 1;
      const stored = files > MAX_FILES ? "There are too many files." : await storeFile(part.file, context);
      lines.push(
        `${describeContent(part)} ${typeof stored === "string" ? stored : `Stored as ${stored.name} (${stored.id}).`}`,
      );
      if (typeof stored !== "string" && stored.type.startsWith("image/") && part.file.data.length <= MAX_IMAGE_BYTES) {
        images.push(stored);
      }
    }
  }
  return { output: lines.join("\n"), images };
}

/** Stores a file; returns the reason when it is rejected. */
async function storeFile(file: FileOfTool, context: ToolContext): Promise<StoredToolFile | string> {
  try {
    return await context.storeFile(file);
  } catch (error) {
    return `It was not stored: ${error instanceof Error ? error.message : String(error)}`;
  }
}
