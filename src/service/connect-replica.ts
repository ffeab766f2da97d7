import type { Logger } from "pino";
import type { OpenDatabase, RequestLink } from "#db/open-database.ts";
import type { Verdict } from "#db/replica/judge-replica.ts";
import type { Observe } from "#domain/observation.ts";
import type { Config } from "#config/config.ts";
import { withCredentials } from "./confine-requests.ts";

const MS_PER_SECOND = 1_000;

/**
 * Lets the replica of DATABASE_READ_URL answer reports, if it is set. Whether it works is found out with the first
 * reports: neither the start nor the readiness of the service depends on it.
 * @param requests how requests reach the primary: at the replica they have the same role
 */
export function connectReplica(
  db: OpenDatabase,
  { config, log, observe }: { readonly config: Config; readonly log: Logger; readonly observe: Observe },
  requests: RequestLink,
): void {
  const { DATABASE_READ_URL: url, DATABASE_READ_LAG: maxLag, DATABASE_POOL: poolSize } = config;
  if (url === undefined) return;
  db.connectReplica({
    url,
    requestUrl: withRoleOf(requests, url),
    poolSize,
    maxLagMs: maxLag * MS_PER_SECOND,
    onRead: (obstacle) =>
      observe({ type: "report_read", server: obstacle ? "primary" : "replica", reason: obstacle ?? "current" }),
    onVerdict: changesTo(log),
  });
}

/** Logs when the replica becomes unusable, and when it is used again. */
function changesTo(log: Logger): (verdict: Verdict) => void {
  let obstacle: string | undefined;
  return (verdict) => {
    const before = obstacle;
    obstacle = verdict.isUsable ? undefined : verdict.obstacle;
    if (obstacle === before) return;
    // As loud as the loss, so that a log at the default level shows its end, too.
    if (verdict.isUsable) log.warn("reports are read from the replica again");
    else log.warn({ reason: verdict.text }, "reports are read from the primary, not from the replica");
  };
}

function withRoleOf(requests: RequestLink, url: string): string {
  const { username, password } = new URL(requests.url);
  if (username === new URL(url).username) return url;
  return withCredentials(url, decodeURIComponent(username), decodeURIComponent(password));
}
