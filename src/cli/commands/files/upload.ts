import { CONNECTION } from "../../arguments.ts";
import { formWithFile } from "../../attach-files.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Upload a file, to be attached to a task or a run within a day.",
  args: { path: { type: "positional", description: "Where it is" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const file = await api.uploadFile(await formWithFile(args.path));
    if (args.json) out.json(file);
    else out.line(`Uploaded ${file.name} (${file.type}, ${file.size} bytes) as ${file.id}`);
    return EXIT.ok;
  },
});
