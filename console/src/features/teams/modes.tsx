import type { ReactNode } from "react";
import type { TeamMode } from "../used-by/team-mode.ts";

/** What each mode is called, and what it does, in a sentence. */
export const MODE_LABELS: Readonly<Record<TeamMode, { readonly label: string; readonly sentence: string }>> = {
  pipeline: { label: "Pipeline", sentence: "Steps in order; each gets the result of the one before." },
  orchestrator: { label: "Orchestrator", sentence: "A brain gives work to workers, judges it, and answers." },
  collaboration: { label: "Collaboration", sentence: "Agents take turns in one discussion until it ends." },
};

const PICTURES: Readonly<Record<TeamMode, ReactNode>> = {
  pipeline: (
    <>
      <rect x="1.5" y="6.5" width="7" height="7" rx="2" />
      <rect x="12.5" y="6.5" width="7" height="7" rx="2" />
      <rect x="23.5" y="6.5" width="7" height="7" rx="2" />
      <path d="M8.5 10h4M19.5 10h4" />
    </>
  ),
  orchestrator: (
    <>
      <rect x="12.5" y="1.5" width="7" height="6" rx="2" />
      <circle cx="5" cy="15.5" r="3" />
      <circle cx="16" cy="15.5" r="3" />
      <circle cx="27" cy="15.5" r="3" />
      <path d="M16 7.5v5M13 7.5l-6 5.5M19 7.5l6 5.5" />
    </>
  ),
  collaboration: (
    <>
      <circle cx="16" cy="4.5" r="3" />
      <circle cx="6" cy="15" r="3" />
      <circle cx="26" cy="15" r="3" />
      <path d="M13.2 6 8.2 12.6M18.8 6l5 6.6M9 15.6h14" />
    </>
  ),
};

/** A mode as a small diagram beside its name. */
export function ModePicture({ mode }: { readonly mode: TeamMode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 32 20"
      className="h-5 w-8 shrink-0 text-ink-3"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {PICTURES[mode]}
    </svg>
  );
}
