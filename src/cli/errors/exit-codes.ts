/**
 * The exit codes of `muster`, for scripts that act on them:
 *
 * | Code | Meaning                                                                         |
 * | ---- | ------------------------------------------------------------------------------- |
 * | 0    | Done.                                                                           |
 * | 1    | The watched task failed or was cancelled, or the service rejected the request.   |
 * | 2    | Wrong usage: an unknown command, a missing or bad option. `diff`: differences.  |
 * | 3    | The service cannot be reached, or what answers is no Muster service.            |
 * | 4    | A key is missing, unknown, or may not do this.                                  |
 * | 5    | `migrate --dry-run`: the schema would change.                                   |
 * | 130  | Ctrl-C while watching; the task still runs.                                       |
 */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  differs: 2,
  unreachable: 3,
  unauthorized: 4,
  pending: 5,
  interrupted: 130,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
