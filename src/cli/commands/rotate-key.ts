import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";

/** `muster rotate-key` */
export default defineCommand({
  summary: "Re-encrypt all stored secrets with a new key, while the service runs",
  args: {},
  async run() {
    const { rotateKey } = await import("../../service/operator.ts");
    await rotateKey();
    return EXIT.ok;
  },
});
