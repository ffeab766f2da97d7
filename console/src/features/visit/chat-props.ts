import type { VisitState, VisitStore } from "./visit-store.ts";

/** The width of what is read. */
export const COLUMN = "mx-auto w-full max-w-[46rem] px-page";

/** What the parts of the chat take. */
export interface ChatProps {
  readonly visit: VisitStore;
  readonly state: VisitState;
}
