/** The code of an error of Node, undici or PostgreSQL, such as `ENOENT` or `23505`; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
