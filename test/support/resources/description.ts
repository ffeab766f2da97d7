import { z } from "zod";
import type { Answer, Api } from "../api.ts";

const ROOT = "/workspace/resources";

const document = z.looseObject({ resource: z.string() });
const pulled = z.object({
  format: z.string(),
  version: z.int(),
  resources: z.array(z.string()),
  documents: z.array(z.object({ path: z.string(), document })),
  schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const change = z.object({
  action: z.string(),
  resource: z.string(),
  name: z.string(),
  notes: z.array(z.string()),
  fields: z.array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown(), is_secret: z.boolean() })),
  token: z.string().nullable(),
});
const plan = z.object({
  revision: z.string(),
  changes: z.array(change),
  extra: z.array(change),
  variables: z.array(z.string()),
  applied: z.boolean(),
});

/** A document of a workspace. */
export type ResourceFields = Readonly<Record<string, unknown>>;

/** Describes a workspace. */
export async function pullFrom(desk: Api, query = "") {
  return pulled.parse((await desk.get(`${ROOT}${query}`)).body);
}

/** What a test says about a workspace besides its documents. */
export type Said = Readonly<Record<string, unknown>>;

/** Compares documents with a workspace. */
export function diffWith(desk: Api, documents: readonly ResourceFields[], said: Said = {}): Promise<Answer> {
  return desk.post(`${ROOT}/diff`, bodyOf(documents, said));
}

/** Applies documents to a workspace. */
export function applyTo(desk: Api, documents: readonly ResourceFields[], said: Said = {}): Promise<Answer> {
  return desk.post(`${ROOT}/apply`, bodyOf(documents, said));
}

/** The plan of an answer. */
export function planOf({ body }: Answer) {
  return plan.parse(body);
}

/** The changes of an answer in short, as in `create agent Writer`. */
export function changesOf(answer: Answer): readonly string[] {
  return planOf(answer).changes.map(({ action, resource, name }) => `${action} ${resource} ${name}`);
}

function bodyOf(documents: readonly ResourceFields[], said: Said) {
  const resources = [...new Set(documents.map(({ resource }) => resource))];
  return { format: "muster-workspace", version: 1, resources, documents, ...said };
}
