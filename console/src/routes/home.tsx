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
    <Page title="Start">
      <StartForm />
    </Page>
  ) : (
    <Page title="Home">
      <LoadingRows />
    </Page>
  );
}
