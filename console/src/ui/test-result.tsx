import { duration } from "../lib/format.ts";
import { StateChip } from "./state.tsx";
import { CodeBlock } from "./code-block.tsx";

/** What came of the test of a remote agent or a tool. */
export interface TestOutcome {
  readonly status: "success" | "failed";
  readonly duration_ms: number;
  readonly output: string | null;
  readonly error: string | null;
}

/** The same for people. */
export function TestResult({ outcome }: { readonly outcome: TestOutcome }) {
  const { status, duration_ms: ms, output, error } = outcome;
  return (
    <div className="flex flex-col gap-2" role="status">
      <p className="flex items-center gap-2 text-ink-2">
        {status === "success" ? (
          <StateChip state="completed">Answered</StateChip>
        ) : (
          <StateChip state="failed">Failed</StateChip>
        )}
        {duration(ms)}
      </p>
      <CodeBlock title={error === null ? "Answer" : "Error"} text={error ?? output ?? ""} />
    </div>
  );
}
