import { defineCommand } from "../define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";

export default defineCommand({
  summary: "Create a one-time link to set a new password; needs access to the database",
  args: { email: { type: "positional", description: "The person's e-mail address", required: true } },
  async run({ email }) {
    const { resetPassword } = await import("../../main.ts");
    await resetPassword(email);
    return EXIT.ok;
  },
});
