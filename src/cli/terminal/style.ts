/** The style of a text where colours are shown. */
export type Style = "dim" | "bold" | "red" | "green" | "yellow" | "cyan";
