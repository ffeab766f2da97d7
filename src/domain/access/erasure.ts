import { z } from "zod";

/** What can be erased. */
export const ERASURE_KINDS = ["workspace", "person"] as const;

/** See {@link ERASURE_KINDS}. */
export type ErasureKind = (typeof ERASURE_KINDS)[number];

/** What stays of what was erased, and why. */
export const KEPT: Readonly<Record<ErasureKind, readonly string[]>> = {
  workspace: [
    "audit_log: who did what to which id, and when, without names and values; the operator keeps it for a year.",
    "run_totals: how many runs of all workspaces together have ended, for the metrics.",
    "users: the accounts of its members, which belong to the instance; erase a person with --person.",
  ],
  person: [
    "users: an account without a name, an address and a way to sign in, as the author of what stays.",
    "audit_log, question_votes, closed_questions, feedback, runs: what the person did, by the id of that account.",
    "What the person wrote in a workspace, and what others wrote about them: it is the workspace's.",
  ],
};

/** The receipt of an erasure: ids and numbers, and nothing personal. */
export const erasureRecord = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(ERASURE_KINDS),
    subject_id: z.uuid().describe("The id that the workspace or the person had."),
    requested_at: z.iso.datetime(),
    requested_by: z.uuid().nullable().describe("The person who asked for it; null: the operator at the machine."),
    ended_at: z.iso.datetime().nullable().describe("Null: it is in progress."),
    removed: z
      .record(z.string(), z.int())
      .describe("Rows that were deleted, or that lost names and addresses, by table."),
    kept: z.array(z.string()).describe("What stays, and why."),
  })
  .meta({ id: "Erasure" });

/** See {@link erasureRecord}. */
export type Erasure = z.output<typeof erasureRecord>;
