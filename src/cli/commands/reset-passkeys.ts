import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";

/** `muster reset-passkeys` */
export default defineCommand({
  summary: "Remove the passkeys of a person who has lost them; needs access to the database",
  args: {
    email: { type: "positional", description: "The person's e-mail address", required: true },
    workspace: {
      type: "string",
      valueHint: "id",
      description: "Workspace of the person, where several accounts have the e-mail",
    },
  },
  async run({ email, workspace }) {
    const { resetPasskeys } = await import("../../service/operator.ts");
    await resetPasskeys(email, workspace);
    return EXIT.ok;
  },
});
