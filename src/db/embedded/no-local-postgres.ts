/**
 * Muster cannot run its own PostgreSQL on this machine or in this folder. `message` is one paragraph for the operator:
 * the reason, and the alternative of an external database. `cause` is the underlying error, if any.
 */
export class NoLocalPostgresError extends Error {
  readonly code = "NO_LOCAL_PG";

  /** @param reason a clause without a final full stop. */
  constructor(reason: string, options?: ErrorOptions) {
    super(
      `Muster cannot run its own PostgreSQL here: ${reason}. Set DATABASE_URL to a PostgreSQL 15 or newer instead, for example postgresql://user:password@host:5432/muster.`,
      options,
    );
    this.name = "NoLocalPostgresError";
  }
}
