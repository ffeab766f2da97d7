import { useIsSlow } from "../../ui/states.tsx";
import { StandalonePage } from "./standalone-page.tsx";

/** The page of a link until its content is there, or why that cannot be shown. */
export function PendingLink({ token, error }: { readonly token: string; readonly error: Error | null }) {
  const isSlow = useIsSlow();
  return (
    <StandalonePage workspace="Muster">
      {error !== null && (
        <>
          <h1 className="text-h1 font-semibold tracking-tight">This link can't be used</h1>
          <p role="alert" className="mt-2 text-ink-2">
            {token === "" ? "The link is incomplete." : error.message} Ask the person who sent it.
          </p>
        </>
      )}
      {error === null && isSlow && <p role="status">Loading</p>}
    </StandalonePage>
  );
}
