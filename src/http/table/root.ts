/** Where the table API is mounted. */
export const TABLE_ROOT = "/rest/v1";
