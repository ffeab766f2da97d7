import { openConnectScreens } from "./screens-connect.ts";
import { openMainScreens } from "./screens-main.ts";
import { openQuestionScreens } from "./screens-questions.ts";
import { openWorkScreens } from "./screens-work.ts";

/** What opens the scenes of all screens, with the part of the console that each of them shows. */
export const SWEPT_SCENES = [
  { part: "home, runs, agents, build and settings", open: openMainScreens },
  { part: "Connect", open: openConnectScreens },
  { part: "questions", open: openQuestionScreens },
  { part: "teams' runs, conversations and alerts", open: openWorkScreens },
] as const;
