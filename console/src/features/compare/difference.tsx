import { cost, duration, tokens } from "../../lib/format.ts";

const LABELS = {
  duration: (value: number) => duration(value),
  tokens: (value: number) => tokens(value),
  cost: (value: number) => cost(value),
} as const;

/** How the second of two amounts differs from the first: `+ 1.2 s`, `- $0.01`; a dash when they are equal. */
export function Difference({
  a,
  b,
  unit,
}: {
  readonly a: number | undefined;
  readonly b: number | undefined;
  readonly unit: keyof typeof LABELS;
}) {
  if (a === undefined || b === undefined) return null;
  const change = b - a;
  const amount = LABELS[unit](Math.abs(change));
  if (change === 0 || amount === LABELS[unit](0)) return <span className="text-ink-3">same</span>;
  return (
    <span className={change > 0 ? "text-waiting" : "text-completed"}>
      {change > 0 ? "+" : "\u2212"}
      {amount}
    </span>
  );
}
