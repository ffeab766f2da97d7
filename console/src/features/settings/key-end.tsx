import { Time } from "../../ui/time.tsx";
import type { ApiKey } from "./queries.ts";

/** When a key expires, in a colour when that is soon. */
export function KeyEnd({ apiKey: { expires_at: at, expiry_warning: warning } }: { readonly apiKey: ApiKey }) {
  if (at === null) return <span className="text-ink-3">Never</span>;
  const look = warning === "14_days" ? "text-waiting" : warning === null ? "" : "font-medium text-failed";
  return (
    <span className={look}>
      <Time at={at} />
    </span>
  );
}
