import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { createOutput } from "../terminal/output.ts";
import { stopSignal } from "../terminal/stop-signal.ts";

/** The exit codes of this command: something is worth a look, or must be repaired. */
const WARNING = 1;
const FAILED = 2;

const STYLES = { ok: "green", skipped: "dim", warning: "yellow", failed: "red" } as const;

/** `muster doctor` */
export default defineCommand({
  summary: "Examine the installation on the service's machine; exits with 1 for warnings, 2 for failures",
  examples: ["doctor", "doctor --json", "doctor --tenancy"],
  args: {
    tenancy: { type: "boolean", description: "Ask every table and route for another workspace's rows instead" },
    url: { type: "string", valueHint: "url", description: "With --tenancy: where the service answers" },
    json: CONNECTION.json,
  },
  async run(args) {
    if (args.url !== undefined && args.tenancy !== true) throw new UsageError("--url goes with --tenancy.");
    const { runDoctor, runTenancyDoctor } = await import("../../service/operator.ts");
    const out = createOutput(process.stdout, process.stderr);
    const findings = await (args.tenancy
      ? runTenancyDoctor({
          url: args.url,
          signal: stopSignal("Ended early. The scratch workspaces are removed."),
          onCheck: (check) => out.status(check),
        })
      : runDoctor());
    out.status(undefined);
    if (args.json) out.json(findings);
    else {
      for (const { check, outcome, text, remedy } of findings) {
        const advice = remedy === undefined ? "" : ` ${remedy}`;
        out.line(`${out.styled(STYLES[outcome], outcome.padEnd(7))}  ${check}: ${text}${advice}`);
      }
    }
    const outcomes = new Set(findings.map(({ outcome }) => outcome));
    return outcomes.has("failed") ? FAILED : outcomes.has("warning") ? WARNING : EXIT.ok;
  },
});
