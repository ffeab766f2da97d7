/** The tones that a voice starts from. */
export const TONES = ["Formal", "Casual", "Technical", "Creative", "Empathetic", "Custom"] as const;

/** What a filled template is. */
export const TEMPLATE_TYPES = ["Markdown", "JSON", "HTML", "CSV", "Custom"] as const;
