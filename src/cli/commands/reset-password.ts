import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";

/** `muster reset-password` */
export default defineCommand({
  summary: "Create a one-time link to set a new password; needs access to the database",
  args: {
    email: { type: "positional", description: "The person's e-mail address", required: true },
    workspace: {
      type: "string",
      valueHint: "id",
      description: "Workspace of the person, where several accounts have the e-mail",
    },
  },
  async run({ email, workspace }) {
    const { resetPassword } = await import("../../service/operator.ts");
    await resetPassword(email, workspace);
    return EXIT.ok;
  },
});
