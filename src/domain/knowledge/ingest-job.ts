/** The input of an ingest job: an attempt to process a document. The database function `job_of_ingest` builds it. */
export interface IngestJob {
  readonly workspaceId: string;
  readonly documentId: string;
  readonly attempt: number;
}
