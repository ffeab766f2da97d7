import { defineRequest } from "../arguments/define-request.ts";

/** `muster whoami` */
export default defineRequest({
  summary: "Show the user and workspace of your key",
  args: {},
  send: ({ muster }) => muster.getIdentity(),
  print: ({ out, settings }, me) =>
    out.fields({
      user: me.name === "" ? me.email : `${me.name} <${me.email}>`,
      workspace: `${me.workspace_name} (${me.workspace_id})`,
      plan: me.plan,
      service: settings.url,
    }),
});
