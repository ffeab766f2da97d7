import { Link, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { asProblem } from "../api/problem.ts";
import { signOut } from "../api/sign-out.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Logo } from "../ui/logo.tsx";
import { ErrorState } from "../ui/states.tsx";

/** A URL that the console does not have, or a workspace that is not the person's. */
export function NotFound() {
  return (
    <main>
      <NotFoundInShell />
    </main>
  );
}

/** The same inside the frame of a workspace, which is the `main` of the page. */
export function NotFoundInShell() {
  useEffect(() => {
    document.title = "Page not found · Muster";
  }, []);
  return (
    <div className="mx-auto flex max-w-[30rem] flex-col items-center gap-3 px-6 py-24 text-center">
      <Logo className="mb-3 size-9" />
      <h1 className="text-h1 font-semibold tracking-tight">Page not found</h1>
      <p className="text-ink-2">The URL is wrong, or the workspace is not one of yours.</p>
      <Link to="/" className={`mt-2 ${buttonClass({ look: "plain" })}`}>
        Go to your workspace
      </Link>
    </div>
  );
}

/** What a page could not be drawn for: the server did not answer, or a fault of ours. */
export function PageError({ error }: { readonly error: unknown }) {
  const router = useRouter();
  // Only who is in no workspace is refused everywhere.
  const isRefused = asProblem(error).status === 403;
  return (
    <main className="py-16">
      <ErrorState
        error={error}
        onRetry={() => void router.invalidate()}
        action={isRefused && <Button onClick={() => void signOut()}>Sign out</Button>}
      />
    </main>
  );
}
