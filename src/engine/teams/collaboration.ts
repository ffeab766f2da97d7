import { closeDiscussion, discuss } from "./collaboration/discuss.ts";
import { resolveRoster } from "./collaboration/roster.ts";
import { defineTeamMode } from "./define-team-mode.ts";

/** Agents discuss the task, one turn after another; each reads what was said before, until the discussion ends. */
export default defineTeamMode({
  name: "collaboration",
  async run(_engine, run, config) {
    const discussion = { run, config, roster: resolveRoster(run, config), thread: [] };
    const reason = await discuss(discussion);
    return closeDiscussion(discussion, reason);
  },
});
