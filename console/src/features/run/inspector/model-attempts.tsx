import { clockWithMs, duration } from "../../../lib/format.ts";
import { visibleText } from "../../../lib/visible-text.ts";
import type { StepDetail } from "../../records/run-head.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";

/** Each try of a model call: when, how the provider answered, and the pause after it. */
export function ModelAttempts({ tries }: { readonly tries: StepDetail["attempts"] }) {
  return (
    <ol className="flex flex-col gap-3">
      {tries.map(
        (
          { model, started_at: from, ended_at: to, status, message, waited_ms: waited, retry_after_ms: asked },
          index,
        ) => (
          <li key={index} className={`border-s-2 ps-3 ${message === null ? "border-completed" : "border-failed"}`}>
            <p className="flex flex-wrap gap-x-3">
              <span className="font-strong">Try {index + 1}</span>
              <span className={message === null ? "text-completed" : "text-failed"}>
                {message === null ? "Succeeded" : "Failed"}
                {status !== null && ` with ${status}`}
              </span>
              <span className="text-ink-3">
                {clockWithMs(new Date(from))}, {duration(to - from)}, {model}
              </span>
            </p>
            {message !== null && (
              <p dir="auto" className="mt-1">
                {visibleText(message)}
              </p>
            )}
            {waited > 0 && (
              <p className="mt-1 text-small text-ink-3">
                Then waited {duration(waited)}
                {asked !== undefined && `; the provider asked for ${duration(asked)}`}
              </p>
            )}
          </li>
        ),
      )}
    </ol>
  );
}

/** The bodies that were exchanged with the provider in tries that failed. */
export function Exchanges({ exchanges }: { readonly exchanges: StepDetail["exchanges"] }) {
  if (exchanges.length === 0) {
    return (
      <p className="text-ink-3">
        Requests and responses are kept for failed tries only (setting RECORD_RAW=errors). No try of this step failed,
        or the setting is off.
      </p>
    );
  }
  return exchanges.map((exchange) => (
    <section key={exchange.try} className="flex flex-col gap-2 not-first:mt-6">
      <h3 className="text-h3 font-semibold">Try {exchange.try + 1}</h3>
      <CodeBlock title="Request" text={exchange.request} />
      <CodeBlock title="Response" text={exchange.response} />
    </section>
  ));
}
