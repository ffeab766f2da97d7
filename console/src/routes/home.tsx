import { FirstSteps, useFirstSteps } from "../features/home/first-steps.tsx";
import { Home } from "../features/home/home.tsx";
import { useHasRuns } from "../features/home/queries.ts";
import { StartForm } from "../features/start/start-form.tsx";
import { Page } from "../ui/page.tsx";
import { LoadingRows } from "../ui/states.tsx";

/** Until there is a run, the form for the first one; then what runs. */
export function HomePage() {
  const { data: hasRuns, isFetched } = useHasRuns();
  // Without an answer, Home has more to say than that.
  if (hasRuns ?? isFetched) return <Home />;
  return hasRuns === false ? (
    <Start />
  ) : (
    <Page title="Home">
      <LoadingRows />
    </Page>
  );
}

function Start() {
  const steps = useFirstSteps();
  return (
    <Page title="Start">
      <StartForm />
      <div className="mx-auto w-full max-w-[38rem] px-page pb-10">
        <FirstSteps steps={steps} />
      </div>
    </Page>
  );
}
