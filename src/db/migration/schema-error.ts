/** This version of the program cannot use the database; the message says why. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}
