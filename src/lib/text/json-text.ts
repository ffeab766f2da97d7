/** A text that is known to be JSON: rendered once, by the database, and passed on unchanged. */
export type JsonText = string & { readonly __json: true };
