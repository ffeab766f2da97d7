/** A text that is valid JSON: rendered by the database and passed on unchanged. */
export type JsonText = string & { readonly __json: true };
