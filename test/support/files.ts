import { z } from "zod";
import type { Answer } from "./api.ts";
import type { TestAccess } from "./service.ts";

/** A file to upload. */
export interface TestFile {
  readonly name: string;
  readonly type: string;
  readonly content: string | Uint8Array;
}

const fileFields = z.looseObject({
  id: z.uuid(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  direction: z.string(),
  task_id: z.uuid().nullable(),
  run_id: z.uuid().nullable(),
  url: z.url(),
});

/** A file, as a service returns it. */
export type FileFields = z.output<typeof fileFields>;

/** A form with one file. */
export function formWith({ name, type, content }: TestFile): FormData {
  const form = new FormData();
  form.append("file", new File([typeof content === "string" ? content : new Uint8Array(content)], name, { type }));
  return form;
}

/** The same as a text, with the boundary `x`. */
export function formText(name: string, content: string): string {
  const disposition = `Content-Disposition: form-data; name="file"; filename="${name}"`;
  return `--x\r\n${disposition}\r\nContent-Type: text/plain\r\n\r\n${content}\r\n--x--\r\n`;
}

/** Sends a form, or any other body, to POST /files. */
export async function postFile(
  service: TestAccess,
  body: FormData | string,
  headers: Readonly<Record<string, string>> = { "x-api-key": service.keys.api },
): Promise<Answer> {
  const response = await fetch(`${service.url}/files`, { method: "POST", headers, body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** Uploads a file that is taken. */
export async function uploadTo(service: TestAccess, file: TestFile): Promise<FileFields> {
  const answer = await postFile(service, formWith(file));
  if (answer.status !== 201) throw new Error(`The upload was rejected: ${answer.text}`);
  return fileFields.parse(answer.body);
}

/** Asks for /files and what is below it with the service's envelope key. */
export async function askFiles(service: TestAccess, path = "", method = "GET"): Promise<Answer> {
  const response = await fetch(`${service.url}/files${path}`, { method, headers: { "x-api-key": service.keys.api } });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? undefined : JSON.parse(text) };
}

/** The smallest PNG, of one pixel. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
