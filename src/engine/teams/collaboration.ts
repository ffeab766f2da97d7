import { closeDiscussion, discuss } from "./collaboration/discuss.ts";
import { resolveRoster } from "./collaboration/roster.ts";
import { defineTeamMode } from "./define-team-mode.ts";

/** Agents talk about the task, one after another, each knowing what was said, until the discussion has an end. */
export default defineTeamMode({
  name: "collaboration",
  async run(_engine, run, config) {
    const discussion = { run, config, roster: resolveRoster(run, config), thread: [] };
    const reason = await discuss(discussion);
    return closeDiscussion(discussion, reason);
  },
});
