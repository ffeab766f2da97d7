import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";

/** `muster init` */
export default defineCommand({
  summary: "Prepare the database and create the first workspace and keys",
  args: { json: { type: "boolean", description: "Print JSON for programs" } },
  async run({ json = false }) {
    const { init } = await import("../../service/operator.ts");
    await init({ json });
    return EXIT.ok;
  },
});
