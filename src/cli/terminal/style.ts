/** How a text is set off where colours are shown. */
export type Style = "dim" | "bold" | "red" | "green" | "yellow" | "cyan";
