import { useNavigate } from "@tanstack/react-router";
import { FilterBar, FilterChoice } from "../../ui/filters.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { Empty } from "../../ui/states.tsx";
import { DeliverySheet } from "./delivery-sheet.tsx";
import { deliveryLabel } from "./delivery-state.tsx";
import { deliveryColumns } from "./delivery-columns.tsx";
import { useDeliveries } from "./queries.ts";
import { RedeliverAll } from "./redeliver-all.tsx";
import { DELIVERY_PERIODS, DELIVERY_STATUSES } from "./search.ts";
import type { DeliverySearch } from "./search.ts";

const PERIOD_LABELS = { "1h": "Last hour", "24h": "Last 24 hours", "7d": "Last 7 days" } as const;

/** Deliveries with their filters; the one in the URL is open beside them. */
export function DeliveryList({
  search,
  routeId,
}: {
  readonly search: DeliverySearch;
  /** Only of this route. */
  readonly routeId?: string | undefined;
}) {
  const pages = useDeliveries(search, routeId);
  const navigate = useNavigate();
  const set = (change: DeliverySearch, replace = false) =>
    void navigate({ to: ".", search: (before) => ({ ...before, ...change }), replace });
  const { status, since, delivery } = search;
  return (
    <>
      <FilterBar label="Filter deliveries">
        <FilterChoice
          label="State"
          all="Any state"
          value={status}
          options={DELIVERY_STATUSES}
          wordsOf={deliveryLabel}
          onChange={(next) => set({ status: next })}
        />
        <FilterChoice
          label="Time"
          all="Last 30 days"
          value={since}
          options={DELIVERY_PERIODS}
          wordsOf={(period) => PERIOD_LABELS[period]}
          onChange={(next) => set({ since: next })}
        />
        <div className="sm:ms-auto">
          <RedeliverAll routeId={routeId} />
        </div>
      </FilterBar>
      <RecordList
        label="Deliveries"
        list="deliveries"
        pages={pages}
        columns={deliveryColumns(routeId !== undefined)}
        noMatch={(status !== undefined || since !== undefined) && "No delivery matches these filters"}
        empty={<Empty title="No deliveries yet">What is sent is listed here for 30 days, with each attempt.</Empty>}
      />
      {delivery !== undefined && (
        <DeliverySheet
          id={delivery}
          onOpen={(id) => set({ delivery: id }, true)}
          onClose={() => set({ delivery: undefined })}
        />
      )}
    </>
  );
}
