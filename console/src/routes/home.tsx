import { Home } from "../features/home/home.tsx";
import { useRuns } from "../features/runs/queries.ts";
import { StartForm } from "../features/start/start-form.tsx";
import { Page } from "../ui/page.tsx";
import { ErrorState, LoadingRows } from "../ui/states.tsx";

const ALL = {};

/** Until there is a run, the form for the first one; then what runs. */
export function HomePage() {
  const { rows, error, refetch } = useRuns(ALL);
  if (rows === undefined) {
    return (
      <Page title="Home">{error === null ? <LoadingRows /> : <ErrorState error={error} onRetry={refetch} />}</Page>
    );
  }
  if (rows.length > 0) return <Home />;
  return (
    <Page title="Start">
      <StartForm />
    </Page>
  );
}
