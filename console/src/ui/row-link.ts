/** The class of the link that makes a whole row of a list open something. Give the link `data-row`, too. */
export const ROW_LINK = "block truncate font-medium covers";
