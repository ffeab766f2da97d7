/** An attempt to read a document, the input of its job; the database function `job_of_ingest` builds it. */
export interface IngestJob {
  readonly workspaceId: string;
  readonly documentId: string;
  readonly attempt: number;
}
