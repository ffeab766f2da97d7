import { useQueryClient } from "@tanstack/react-query";
import { installMarketplaceAgent } from "#client/gen/operations/marketplace.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { count } from "../../lib/format.ts";
import { Form, FormProblem, SubmitButton } from "../../ui/form.tsx";
import { Bdi } from "../../ui/bdi.tsx";
import { PlusIcon } from "../../ui/icons.ts";
import { RecordSheet } from "../../ui/record-sheet.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/messages.ts";
import { FactList, FactRow } from "../../ui/fact-list.tsx";
import { Tags } from "./listing-columns.tsx";
import { useListing } from "./queries.ts";
import type { Listing } from "./queries.ts";

/** One offer: what it is, and the button that copies it into the workspace. */
export function ListingSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  return (
    <RecordSheet
      query={useListing(id)}
      title={(listing) => listing?.name ?? "Listing"}
      description={(listing) => <Bdi>{`By ${listing.publisher}`}</Bdi>}
      onClose={onClose}
    >
      {(listing) => <Details listing={listing} onClose={onClose} />}
    </RecordSheet>
  );
}

function Details({ listing, onClose }: { readonly listing: Listing; readonly onClose: () => void }) {
  const { name, description, model, tools, marketplace_tags: tags, install_count: installs, created_at: at } = listing;
  return (
    <div className="flex flex-col gap-5">
      <Bdi className="block max-w-[72ch]">{description === "" ? "It has no description." : description}</Bdi>
      <FactList>
        <FactRow name="Model">{model}</FactRow>
        <FactRow name="Tools">{tools.length === 0 ? "None" : tools.join(", ")}</FactRow>
        <FactRow name="Tags">{tags.length > 0 && <Tags tags={tags} />}</FactRow>
        <FactRow name="Installs">{count(installs)}</FactRow>
        <FactRow name="Listed">
          <Time at={at} />
        </FactRow>
      </FactList>
      <Install listing={listing} onInstalled={onClose} />
      <p className="text-small text-ink-3">
        Your copy includes the prompt and is yours to change. {name} itself stays with its publisher.
      </p>
    </div>
  );
}

function Install({ listing, onInstalled }: { readonly listing: Listing; readonly onInstalled: () => void }) {
  const blockedBy = useBlockedBy("member");
  const client = useQueryClient();
  async function act(): Promise<void> {
    const { held_tools: tools, needs_review } = await call(installMarketplaceAgent)({ id: listing.id });
    // The typed client takes the methods off read-only lists.
    const held = Array.from(tools);
    await Promise.all([
      client.invalidateQueries({ queryKey: ["marketplace"] }),
      client.invalidateQueries({ queryKey: ["agents"] }),
    ]);
    const review = needs_review ? " It can work when you have read and confirmed it." : "";
    const advice =
      held.length === 0 ? "" : ` It does not have these tools; add those that you allow: ${held.join(", ")}.`;
    showToast(`${listing.name} was installed as an agent of this workspace.${review}${advice}`);
    onInstalled();
  }
  return (
    <Form act={act} className="flex flex-col items-start gap-3">
      <FormProblem />
      <SubmitButton icon={PlusIcon} blockedBy={blockedBy}>
        Install
      </SubmitButton>
    </Form>
  );
}
