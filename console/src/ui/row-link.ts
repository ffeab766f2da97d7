const TARGET = "after:absolute after:inset-0";
const FOCUS = "focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent";

/** The class of the link that makes a whole row of a list open something. Give the link `data-row`, too. */
export const ROW_LINK = `block truncate font-medium focus-visible:outline-none ${TARGET} ${FOCUS}`;
