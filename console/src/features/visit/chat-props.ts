import type { VisitState, VisitStore } from "./visit-store.ts";

/** The width of what is read. */
export const COLUMN = "mx-auto w-full max-w-[46rem] px-page";

/** The field in which the visitor writes. */
export const MESSAGE_ID = "message";

/** Where a keyboard covers a part of the screen. */
export const TOUCH = "(pointer: coarse)";

/** What the parts of the chat take. */
export interface ChatProps {
  readonly visit: VisitStore;
  readonly state: VisitState;
}
