/** The path of the table API. */
export const TABLE_ROOT = "/rest/v1";
