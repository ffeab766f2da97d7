import { defineCommand } from "../define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";

export default defineCommand({
  summary: "Make a one-time link with which a person sets a new password; needs access to the database.",
  args: { email: { type: "positional", description: "The person's e-mail address", required: true } },
  async run({ email }) {
    const { resetPassword } = await import("../../main.ts");
    await resetPassword(email);
    return EXIT.ok;
  },
});
