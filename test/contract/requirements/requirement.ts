/** Where a requirement comes from. */
export type RequirementSource =
  /** The published interface that clients are written against. */
  | "contract"
  /** Our reading where that interface leaves something open. */
  | "decision"
  /** What we promise beyond the interface: installing, operating, surviving crashes. */
  | "goal";

/** One thing that the service promises and that a test can prove. */
export interface Requirement {
  /** The promise as one or two sentences that are either true or false. */
  readonly states: string;
  readonly source: RequirementSource;
  /** Why no test proves it yet. Must go as soon as one does. */
  readonly open?: string;
}

/** The requirements of one area by id. Every id starts with the area's name, so no two areas can share one. */
export type Requirements<Area extends string> = Readonly<Record<`${Area}.${string}`, Requirement>>;
