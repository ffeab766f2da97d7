import { createHash } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { findFormProblem } from "#lib/http/find-form-problem.ts";
import type { HttpContext } from "../../context.ts";
import type { Upload } from "#domain/files/sent-file.ts";

/** The form field of the file. */
const FIELD = "file";

/** Reads the one file of a multipart form. @throws AppError `bad_request` naming what is wrong with the form. */
export async function readUpload(c: HttpContext): Promise<Upload> {
  const form = await readForm(c);
  const issues = [...form.keys()]
    .filter((name) => name !== FIELD)
    .map((name) => ({ path: name, message: `unknown field; the form has one field, ${FIELD}` }));
  const [file, ...more] = form.getAll(FIELD);
  if (!(file instanceof File)) issues.push({ path: FIELD, message: "a file is required, with its name" });
  if (more.length > 0) issues.push({ path: FIELD, message: "one file at a time" });
  if (issues.length > 0 || !(file instanceof File)) throw invalid("form", issues);
  return { name: file.name, declared: file.type, content: await file.bytes() };
}

/**
 * Hashes an upload by its content: a repeated form has other boundaries. A body that is not a form is hashed by its
 * bytes.
 */
export async function hashOfUpload(c: HttpContext): Promise<string> {
  const hash = createHash("sha256").update(c.req.path);
  for (const [name, value] of await readForm(c)) {
    const [text, content] =
      value instanceof File ? [`${value.name}\n${value.type}`, await value.bytes()] : ["", Buffer.from(value)];
    hash.update(JSON.stringify([name, text, content.length])).update(content);
  }
  return hash.digest("hex");
}

/** Reads a multipart form. @throws AppError `bad_request` when the body is not one. */
export async function readForm(c: HttpContext): Promise<FormData> {
  const body = new Uint8Array(await c.req.arrayBuffer());
  const problem = findFormProblem(body, c.req.header("Content-Type") ?? "");
  if (problem !== undefined) throw new AppError("bad_request", `The form ${problem}.`);
  try {
    return await c.req.formData();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("bad_request", `The body must be multipart/form-data with a field "${FIELD}".`, {
      cause: error,
    });
  }
}
