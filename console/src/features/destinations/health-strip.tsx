import { useHealth } from "./queries.ts";
import type { Delivery } from "./records.ts";

const BAR = {
  success: { height: 8, ink: "fill-completed/60" },
  failed: { height: 16, ink: "fill-failed" },
  pending: { height: 3, ink: "fill-idle" },
} as const;
const COUNT = 50;
const STEP = 3;

/** The last deliveries of a route or a webhook subscription as bars, the newest at the end: failed ones are tall. */
export function RecentHealth({ id }: { readonly id: string }) {
  const { data } = useHealth();
  return data === undefined ? null : <HealthStrip recent={data.get(id)} />;
}

function HealthStrip({ recent }: { readonly recent: readonly Delivery["status"][] | undefined }) {
  if (recent === undefined || recent.length === 0) return <span className="text-ink-3">No deliveries</span>;
  const words = healthLabel(recent);
  return (
    <svg
      role="img"
      aria-label={words}
      viewBox={`0 0 ${COUNT * STEP} 16`}
      width={COUNT * STEP}
      height="16"
      className="max-w-full"
    >
      <title>{words}</title>
      <rect y="15" width={COUNT * STEP} height="1" className="fill-line" />
      {recent.map((status, index) => {
        const { height, ink } = BAR[status];
        // Deliveries of a strip have no ids, so the position is the key.
        return (
          <rect
            key={index}
            x={(COUNT - 1 - index) * STEP}
            y={16 - height}
            width="2"
            height={height}
            rx="0.5"
            className={ink}
          />
        );
      })}
    </svg>
  );
}

/** The same as text: `47 of the last 50 delivered, 3 failed`. */
export function healthLabel(recent: readonly Delivery["status"][]): string {
  const countOf = (status: Delivery["status"]) => recent.filter((each) => each === status).length;
  const [failed, pending] = [countOf("failed"), countOf("pending")];
  const parts = [
    `${countOf("success")} of the last ${recent.length} delivered`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(pending === 0 ? [] : [`${pending} in progress`]),
  ];
  return parts.join(", ");
}
