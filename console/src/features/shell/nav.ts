import { HomeIcon, QuestionsIcon, RunsIcon } from "../../ui/icons.tsx";
import type { Icon } from "../../ui/icons.tsx";

/** A screen of the sidebar. */
export interface NavItem {
  readonly key: string;
  readonly label: string;
  readonly icon: Icon;
  readonly to: "/w/$workspace" | "/w/$workspace/questions" | "/w/$workspace/runs";
  /** The second of the keys `g` and this one. */
  readonly letter: string;
}

/** The screens, in the order of the sidebar. */
export const NAV: readonly NavItem[] = [
  { key: "home", label: "Home", icon: HomeIcon, to: "/w/$workspace", letter: "h" },
  { key: "questions", label: "Questions", icon: QuestionsIcon, to: "/w/$workspace/questions", letter: "q" },
  { key: "runs", label: "Runs", icon: RunsIcon, to: "/w/$workspace/runs", letter: "r" },
];
