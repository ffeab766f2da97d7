import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ReactNode } from "react";
import type { components } from "#client/gen/schema.ts";
import { callAuth } from "../features/accounts/auth.ts";
import { useFragmentToken } from "../features/accounts/use-fragment-token.ts";
import { PendingLink } from "../features/questions/pending-link.tsx";
import { StandalonePage } from "../features/questions/standalone-page.tsx";
import { SharedSteps } from "../features/run/share/shared-steps.tsx";
import { cost, tokens } from "../lib/format.ts";
import { hasEnded, stateOf } from "../lib/run-state.ts";
import { visibleText } from "../lib/visible-text.ts";
import { Bdi } from "../ui/bdi.tsx";
import { FormError } from "../ui/field.tsx";
import { Folded } from "../ui/folded.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Section } from "../ui/section.tsx";
import { StateChip } from "../ui/state.tsx";
import { Duration, Time } from "../ui/time.tsx";

type SharedRun = components["schemas"]["SharedRun"];
type Page = components["schemas"]["SharedSteps"];

/** How often the page of a run that has not ended is read again. */
const POLL_MS = 5_000;

/** The run of a link, to read only; no account is needed. */
export function SharedRunPage() {
  const token = useFragmentToken();
  const { data, error } = useQuery({
    queryKey: ["run-link", token],
    queryFn: () => callAuth<SharedRun>("POST", "/auth/run-link", { token }),
    refetchInterval: ({ state }) => (state.data !== undefined && !hasEnded(stateOf(state.data)) ? POLL_MS : false),
    retry: false,
  });
  const title = data?.title ?? "Run";
  useEffect(() => {
    document.title = `${title} · Muster`;
  }, [title]);
  if (data === undefined) return <PendingLink token={token} error={error} />;
  return <Run run={data} token={token} />;
}

function Run({ run, token }: { readonly run: SharedRun; readonly token: string }) {
  const { workspace, title, input, result, error, shows_steps: showsSteps } = run;
  return (
    <StandalonePage workspace={workspace} aside={<StateChip state={stateOf(run)} />}>
      <h1 dir="auto" className="text-h1 font-semibold tracking-tight [overflow-wrap:anywhere]">
        {visibleText(title)}
      </h1>
      <Facts run={run} />
      <div className="mt-6 flex flex-col gap-6 pb-10">
        {input.description !== "" && input.description !== title && (
          <Folded title="Request">
            <Markdown text={input.description} />
          </Folded>
        )}
        {error !== null && <FormError>{visibleText(error)}</FormError>}
        {result !== null && (
          <Section title="Result">
            <div className="pt-3">
              <Markdown text={result} />
            </div>
          </Section>
        )}
        {showsSteps && <Steps run={run} token={token} />}
      </div>
    </StandalonePage>
  );
}

function Facts({ run }: { readonly run: SharedRun }) {
  const { by, started_at: start, ended_at: end, created_at: created, cost: spent } = run;
  return (
    <dl className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-ink-2">
      {by !== null && (
        <Fact name="By">
          <Bdi>{by}</Bdi>
        </Fact>
      )}
      <Fact name={start === null ? "Created" : "Started"}>
        <Time at={start ?? created} />
      </Fact>
      {start !== null && (
        <Fact name="Duration">
          <Duration from={start} to={end} />
        </Fact>
      )}
      {spent !== null && (
        <Fact name="Cost">
          {cost(spent.cost_usd)}, {tokens(spent.tokens)} tokens
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-ink-3">{name}</dt>
      <dd className="text-ink">{children}</dd>
    </div>
  );
}

/** All steps; read again when the run has gone on. */
function Steps({ run: { seq, status, details }, token }: { readonly run: SharedRun; readonly token: string }) {
  const { data, error } = useQuery({
    queryKey: ["run-link-steps", token, seq, status],
    queryFn: () => readSteps(token),
    placeholderData: (before) => before,
    retry: false,
  });
  return (
    <Section title="Steps">
      {error !== null && <FormError>{error.message}</FormError>}
      {details === "purged" && <p className="py-3 text-ink-3">They were deleted after the retention.</p>}
      {data !== undefined && <SharedSteps token={token} steps={data} />}
    </Section>
  );
}

async function readSteps(token: string): Promise<Page["steps"]> {
  const steps: Page["steps"][number][] = [];
  let after: string | undefined;
  do {
    const page = await callAuth<Page>("POST", "/auth/run-link/steps", { token, ...(after !== undefined && { after }) });
    steps.push(...page.steps);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return steps;
}
