import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";

/** `muster setup-link` */
export default defineCommand({
  summary: "Create a new one-time link to finish setup; needs access to the database",
  args: {},
  async run() {
    const { printSetupLink } = await import("../../service/operator.ts");
    await printSetupLink();
    return EXIT.ok;
  },
});
