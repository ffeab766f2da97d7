/** An option of a select, with the value to answer and the label to show. */
export interface LabelledOption {
  readonly value: string;
  readonly label: string;
}

/** An option of a select as an agent gives it; a text is value and label. */
export type FormOption = string | LabelledOption;

/** Returns an option with its label. */
export function labelled(option: FormOption): LabelledOption {
  return typeof option === "string" ? { value: option, label: option } : option;
}
