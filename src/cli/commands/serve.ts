import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";

/** `muster serve` */
export default defineCommand({
  summary: "Start the service; settings are environment variables (.env.example)",
  args: {},
  async run() {
    const { serve } = await import("../../main.ts");
    await serve();
    return EXIT.ok;
  },
});
