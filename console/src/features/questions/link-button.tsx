import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createAnswerLink } from "#client/gen/operations/questions.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import type { components } from "#client/gen/schema.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/field.tsx";
import { OneTimeLink } from "../../ui/one-time-link.tsx";
import { Time } from "../../ui/time.tsx";
import { LINKS_KEY } from "./links.tsx";

type Outcome = { readonly made: components["schemas"]["AnswerLink"] } | { readonly error: string };

/** Creates a link to answer the question without an account; it is shown once. */
export function LinkButton({ questionId }: { readonly questionId: string }) {
  const client = useQueryClient();
  const blockedBy = useBlockedBy("member");
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  async function make(): Promise<void> {
    setBusy(true);
    try {
      setOutcome({ made: await call(createAnswerLink)({ id: questionId }, {}) });
      await client.invalidateQueries({ queryKey: LINKS_KEY });
    } catch (error) {
      setOutcome({ error: asProblem(error).message });
    } finally {
      setBusy(false);
    }
  }
  return (
    <div className="mt-6 border-t border-line pt-3 max-sm:hidden">
      <Button
        className="-ms-2.5"
        look="quiet"
        size="small"
        isBusy={isBusy}
        blockedBy={blockedBy}
        onClick={() => void make()}
      >
        Create answer link
      </Button>
      <Dialog
        title="Answer link"
        width="small"
        isOpen={outcome !== undefined}
        onClose={() => setOutcome(undefined)}
        description="Anyone with this link can answer the question once, under a name they enter."
      >
        {outcome !== undefined &&
          ("made" in outcome ? <Made link={outcome.made} /> : <FormError>{outcome.error}</FormError>)}
      </Dialog>
    </div>
  );
}

function Made({ link: { link, expires_at: end } }: { readonly link: components["schemas"]["AnswerLink"] }) {
  return (
    <OneTimeLink link={link}>
      It is shown this once, and ends {end === null ? "with the question" : <Time at={end} />}.
    </OneTimeLink>
  );
}
