/** Suspects that run in one quarantine process. */
export interface QuarantineGroup {
  /** The suspicions of its jobs; see the column. */
  readonly min: number;
  readonly max: number;
  /** How many of them run at a time. */
  readonly size: number;
}

/** The groups, the most suspicious first: a death in a group leads to a smaller one. */
export const QUARANTINE_GROUPS: readonly QuarantineGroup[] = [
  { min: 3, max: 32_767, size: 1 },
  { min: 2, max: 2, size: 4 },
  { min: 1, max: 1, size: 16 },
];
