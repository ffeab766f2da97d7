/** A JSON Schema is invalid or not supported. */
export class UnusableSchemaError extends Error {
  override readonly name = "UnusableSchemaError";
}
