import type { StepRow } from "../../records/run-head.ts";

const PATHS: Readonly<Record<StepRow["kind"], string>> = {
  model: "M8 2.5 9.5 6.5 13.5 8 9.5 9.5 8 13.5 6.5 9.5 2.5 8 6.5 6.5z",
  summary: "M3 4h10M3 7h10M5 10h6M7 13h2",
  tool: "M10 2.8a3.2 3.2 0 0 0-3 4.4L2.9 11.3a1.3 1.3 0 0 0 1.8 1.8L8.8 9a3.2 3.2 0 0 0 4.3-3.9L11.2 7 9.4 6.6 9 4.8l1.9-1.9A3.2 3.2 0 0 0 10 2.8",
  question: "M3 3.5h10v7H8l-3 2.5v-2.5H3z",
  step: "M3 4h10v8H3zM3 7h10",
  branch: "M5 3v10M5 6.5c0 2.5 6 1 6 4M11 10.5V13",
  merge: "M11 3v2.5c0 3-6 2-6 5V13M5 3v4",
  turn: "M3 3.5h10v6.5H7L4.5 12.5V10H3z",
  delegation: "M3 3v5c0 1.5 1 2.5 2.5 2.5H13M10.5 8l2.5 2.5-2.5 2.5",
  revision: "M13 8a5 5 0 1 1-1.5-3.5M13 2.8v2.7h-2.7",
  wait: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11M8 5v3.2l2.1 1.3",
};

/** The kind of a step as an icon; the label beside it names the kind as well. */
export function KindIcon({ kind }: { readonly kind: StepRow["kind"] }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className="size-3.5 shrink-0 text-ink-3"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[kind]} />
    </svg>
  );
}
