import { defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const list = defineRequest({
  summary: "List connected apps, newest first: yours; for admins, those of all members",
  args: {},
  send: ({ muster }) => muster.listApps(),
  print({ out }, apps) {
    if (apps.length === 0) return out.note("No apps yet. People connect them by the URL of the service with /mcp.");
    const headings = ["ID", "NAME", "RETURNS TO", "PERSON", "SCOPES", "AGENTS", "LAST USED"];
    const rows = apps.map(({ id, name, app, person, scopes, agents, last_used_at }) => [
      id,
      safeText(name),
      safeText(app.redirect_host),
      safeText(person),
      scopes.join(", "),
      agents === null ? "all" : String(agents.length),
      last_used_at === null ? "never" : formatTime(last_used_at),
    ]);
    out.table(headings, rows);
  },
});

const disconnect = defineDeletion({
  kind: "app",
  effect: "It loses its access immediately, and its calls end.",
  verb: "Disconnect",
  remove: (muster, id) => muster.disconnectApp({ id }),
});

/** `muster apps …` */
export default defineGroup("Manage connected apps: programs that people connected by OAuth", { list, disconnect });
