import { useState } from "react";
import { testProviderKey } from "#client/gen/operations/models.ts";
import { call } from "../../api/client.ts";
import type { components } from "#client/gen/schema.ts";
import { asProblem } from "../../api/problem.ts";
import { duration } from "../../lib/format.ts";
import { textIn } from "../../forms/use-submit.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { StateChip } from "../../ui/state.tsx";
import { connectionIn } from "./connection-values.ts";

type Outcome = components["schemas"]["ProviderTest"];

/** The result of a provider's test, or the server's message when the test failed. */
export interface ProviderTest {
  readonly outcome: Outcome | undefined;
  readonly error: string | undefined;
  readonly isBusy: boolean;
  readonly start: (values: FormData) => void;
}

/** Tests a provider with the connection that is typed, or else with the one that is stored. */
export function useProviderTest(provider: string): ProviderTest {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const [error, setError] = useState<string>();

  async function run(values: FormData): Promise<void> {
    setBusy(true);
    setOutcome(undefined);
    setError(undefined);
    const model = textIn(values, "test_model");
    const body = { ...connectionIn(values), ...(model !== "" && { model }) };
    try {
      setOutcome(await call(testProviderKey)({ provider }, body));
    } catch (failure) {
      const { message, details } = asProblem(failure);
      setError([message, ...details.map((issue) => `${issue.path}: ${issue.message}`)].join(" "));
    } finally {
      setBusy(false);
    }
  }

  return { outcome, error, isBusy, start: (values) => void run(values) };
}

/** The button of a form that has the fields of a connection, and perhaps `test_model`. */
export function ProviderTestButton({ test }: { readonly test: ProviderTest }) {
  return (
    <Button
      isBusy={test.isBusy}
      onClick={({ currentTarget: { form } }) => form !== null && test.start(new FormData(form))}
    >
      Test
    </Button>
  );
}

/** What came of it. */
export function ProviderTestResult({ test: { outcome, error } }: { readonly test: ProviderTest }) {
  return (
    <div role="status" className="empty:hidden">
      {(outcome !== undefined || error !== undefined) && (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-2">
          {outcome?.ok === true ? (
            <StateChip state="completed">Works</StateChip>
          ) : (
            <StateChip state="failed">Failed</StateChip>
          )}
          {outcome !== undefined && <span className="text-ink-3">{duration(outcome.latency_ms)}</span>}
          <span dir="auto" className="min-w-0 basis-full break-words">
            {visibleText(outcome?.message ?? error ?? "")}
          </span>
        </p>
      )}
    </div>
  );
}
