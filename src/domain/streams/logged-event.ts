/** An event as stored and sent: its number in the log and its JSON text. */
export interface LoggedEvent {
  readonly seq: number;
  readonly text: string;
  /** Whether it is the last event of the run. */
  readonly final: boolean;
}
