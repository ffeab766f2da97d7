import type { WorkQueue } from "#operations/context.ts";
import type { StartJob } from "./claim-runner.ts";
import type { Lease } from "./lease.ts";
import type { PartitionClaims } from "./partition-claims.ts";
import type { Slots } from "./slots.ts";

/** Dependencies of {@link createSlotReservations}. */
export interface SlotReservationOptions {
  readonly executorId: () => string;
  readonly lease: Lease;
  readonly slots: Slots;
  readonly partitions: PartitionClaims;
  readonly startJob: StartJob;
  /** Makes a closing process wait for a reservation, so that it hands over the job. */
  readonly hold: (reservation: Promise<unknown>) => void;
}

/** Slots reserved for jobs whose creating transactions have not ended. */
export interface SlotReservations extends Pick<WorkQueue, "reserve"> {
  /** The jobs with a reserved slot: this process may own them before they run. */
  jobIds(): readonly string[];
}

/** Creates the reservations of a process. */
export function createSlotReservations(options: SlotReservationOptions): SlotReservations {
  const { executorId, lease, slots, partitions, startJob, hold } = options;
  const reserved = new Set<string>();
  return {
    jobIds: () => [...reserved],
    reserve({ id, kind, lane }) {
      const takenAt = performance.now();
      // Jobs that already wait come first.
      if (slots.free(kind, lane) === 0 || partitions.isWaiting({ kind, lane })) return undefined;
      // Without a valid lease, another process would take the job over immediately.
      if (!lease.isValid(takenAt)) return undefined;
      const freeSlot = slots.take(kind, lane);
      reserved.add(id);
      const used = Promise.withResolvers<void>();
      hold(used.promise);
      return {
        executorId: executorId(),
        begin(job) {
          if (reserved.delete(id)) startJob({ ...job, takenAt }, freeSlot);
          used.resolve();
        },
        release() {
          used.resolve();
          if (!reserved.delete(id)) return;
          freeSlot();
          void partitions.fill();
        },
      };
    },
  };
}
