import { issuesOf, invalid } from "#domain/invalid.ts";
import { safeName } from "#domain/files/file.ts";
import { uploadFields } from "#domain/knowledge/knowledge.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { findUnstorable } from "#domain/storable.ts";
import { KNOWN_EXTENSIONS, declaredFormat } from "#lib/extraction/format.ts";
import type { NewDocument } from "#operations/knowledge/knowledge.ts";
import type { HttpContext } from "../../context.ts";
import { readForm } from "../files/read-upload.ts";

/** The form field of the file. */
const FILE = "file";

/** Reads a form with a document. @throws AppError `bad_request` naming each issue. */
export async function readDocument(c: HttpContext): Promise<NewDocument> {
  const form = await readForm(c);
  const { [FILE]: file, ...given } = Object.fromEntries(form);
  const parsed = uploadFields.safeParse(given, { error: plainMessage });
  const issues = [...(parsed.success ? [] : issuesOf(parsed.error)), ...duplicateField(form)];
  const unstorable = findUnstorable(given);
  if (unstorable !== undefined) issues.push(unstorable);
  if (!(file instanceof File)) issues.push({ path: FILE, message: "a file is required, with its name" });
  if (!parsed.success || !(file instanceof File) || issues.length > 0) throw invalid("form", issues);
  const { knowledge_base_id: knowledgeBaseId, name = safeName(file.name), tags } = parsed.data;
  const format = declaredFormat(file.name, file.type);
  if (format === undefined) {
    const known = KNOWN_EXTENSIONS.join(", ");
    const message = `the type of "${file.name}" (${file.type || "none given"}) is not supported; supported: ${known}`;
    throw invalid("form", [{ path: FILE, message }]);
  }
  return { knowledgeBaseId, name, tags, format, mediaType: file.type, content: await file.bytes() };
}

function duplicateField(form: FormData) {
  const names = [...form.keys()];
  return names
    .filter((name, index) => names.indexOf(name) !== index)
    .map((name) => ({ path: name, message: "may be set only once" }));
}
