import { expect } from "vitest";
import { z } from "zod";
import { documentRecord, searchResult } from "#domain/knowledge/knowledge.ts";
import type { Answer, Api } from "./api.ts";
import { eventually } from "./eventually.ts";

const id = z.looseObject({ id: z.uuid() });
/** Each document is read in its own process; a busy machine may start many. */
const DEADLINE_MS = 60_000;

function bodyOf({ status, text, body }: Answer): unknown {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}

/** A document as the API shows it. */
export type DocumentFields = z.output<typeof documentRecord>;

/** Makes a knowledge base; returns its id. @param api the console's */
export async function createBase(api: Api, fields: object = {}): Promise<string> {
  return id.parse(bodyOf(await api.post("/knowledge/bases", { name: "Handbook", ...fields }))).id;
}

/** Adds a text. */
export async function addText(api: Api, baseId: string, fields: object): Promise<DocumentFields> {
  const body = { knowledge_base_id: baseId, name: "Note", ...fields };
  return documentRecord.parse(bodyOf(await api.post("/knowledge/documents", body)));
}

/** A file to upload. */
export interface SentFile {
  readonly name: string;
  readonly type?: string;
  readonly content: string | Buffer;
}

/** A form with a file and other fields. */
export function formOf({ name, type = "", content }: SentFile, fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("file", new File([Buffer.from(content)], name, { type }));
  return form;
}

/** A service, and the key of who uploads. */
export interface Sender {
  readonly url: string;
  readonly key: string;
}

/** Sends a form to /console/api/knowledge/uploads. */
export async function upload(of: Sender, form: FormData) {
  const response = await fetch(`${of.url}/console/api/knowledge/uploads`, {
    method: "POST",
    headers: { "x-api-key": of.key },
    body: form,
  });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

/** Uploads a file that is accepted, to be read in the background; returns the document's id. */
export async function addFile(of: Sender, baseId: string, file: SentFile): Promise<string> {
  const { status, body } = await upload(of, formOf(file, { knowledge_base_id: baseId }));
  expect({ status, body }).toMatchObject({ status: 201, body: { status: "pending", progress: 0, attempt: 1 } });
  return documentRecord.parse(body).id;
}

/** Reads a document. */
export async function readDocument(api: Api, documentId: string): Promise<DocumentFields> {
  return documentRecord.parse(bodyOf(await api.get(`/knowledge/documents/${documentId}`)));
}

/** Waits until a document was read or has failed, and returns it. */
export function documentRead(api: Api, documentId: string): Promise<DocumentFields> {
  const isRead = async () => {
    const now = await readDocument(api, documentId);
    return (now.status === "ready" || now.status === "failed") && now;
  };
  return eventually(`document ${documentId} is read`, isRead, DEADLINE_MS);
}

/** Searches. */
export async function search(api: Api, question: string, query: Readonly<Record<string, string>> = {}) {
  const asked = new URLSearchParams({ q: question, ...query });
  return searchResult.parse(bodyOf(await api.get(`/knowledge/search?${asked.toString()}`)));
}
