import { defineCommand } from "../define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";

export default defineCommand({
  summary: "Seal all stored secrets with a new encryption key; the service must be stopped.",
  args: {},
  async run() {
    const { rotateKey } = await import("../../main.ts");
    await rotateKey();
    return EXIT.ok;
  },
});
