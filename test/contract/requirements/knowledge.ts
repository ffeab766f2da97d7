import type { Requirements } from "./requirement.ts";

/** Knowledge bases: what is put into them, how it is read, and how it is found again. */
export const knowledge = {
  "knowledge.bases.resource": {
    states: "/console/api/knowledge/bases lists, reads, creates, changes and deletes knowledge bases.",
    source: "goal",
  },
  "knowledge.bases.kept-while-named": {
    states: "A knowledge base that agents are restricted to cannot be deleted: 409.",
    source: "goal",
  },
  "knowledge.documents.formats": {
    states: "Text, Markdown, HTML, CSV, JSON, PDF and Word documents are taken, as files or as JSON text, and found.",
    source: "goal",
  },
  "knowledge.documents.status": {
    states:
      "A document is pending, processing, ready or failed, and says how far it is, how many passages it has, and why it failed.",
    source: "goal",
  },
  "knowledge.documents.reprocess": {
    states: "A document can be read once more from its original, in place of what was read before.",
    source: "goal",
  },
  "knowledge.documents.delete": {
    states: "With a document its passages, vectors and original are gone; with a base all of its documents.",
    source: "goal",
  },
  "knowledge.documents.tags": {
    states: "Documents have a name and tags that can be changed, and a search can be restricted to tags.",
    source: "goal",
  },
  "knowledge.documents.bad-input": {
    states:
      "What cannot be read (broken, encrypted, of another type than declared, too large, empty) ends in the status failed with a reason; the service continues.",
    source: "goal",
  },
  "knowledge.documents.refusals": {
    states:
      "A form without a file, an unknown base, unknown fields and types that are not read are 400 naming the field; a file over the limit is 413.",
    source: "goal",
  },
  "knowledge.search.words": {
    states: "Without any key passages are found by their words, best first, each with its source and a score.",
    source: "goal",
  },
  "knowledge.search.hybrid": {
    states:
      "With a key for OpenAI or Google, or a named model of a compatible endpoint, passages are found by meaning as well, by reciprocal-rank fusion.",
    source: "goal",
  },
  "knowledge.search.pgvector": {
    states:
      "Where the server has pgvector 0.7 or newer, searches by meaning use it; elsewhere they find what is nearest in plain SQL.",
    source: "goal",
  },
  "knowledge.search.large": {
    states: "What a search by words weighs is limited, however large the base and however common the words are.",
    source: "goal",
  },
  "knowledge.search.without-provider": {
    states: "When the provider of vectors is away, documents are ready with a warning and a search goes by words.",
    source: "goal",
  },
  "knowledge.search.recall": {
    states: "On our own set of questions the right passage is among the first five, with words alone and hybrid.",
    source: "goal",
  },
  "knowledge.search.tenancy": {
    states: "No workspace finds, reads or changes what another has, by the API or past it.",
    source: "goal",
  },
  "knowledge.tool.search": {
    states: "The tool knowledge_search gives an agent passages of the bases that it may see, and no others.",
    source: "contract",
  },
  "knowledge.ingest.crash": {
    states:
      "A process that is killed while it reads a document is followed by another: no passage is doubled, and no stored vector is paid for again.",
    source: "goal",
  },
  "knowledge.ingest.handed-over": {
    states:
      "A document whose process is stopped is read on by another, and is not given up however often that happens.",
    source: "goal",
  },
  "knowledge.ingest.two-processes": {
    states: "Two processes share the documents that wait; each is read once.",
    source: "goal",
  },
  "knowledge.cli": {
    states: "muster knowledge add, list, search, reprocess and delete do what the console's API does.",
    source: "goal",
  },
  "knowledge.ingest.fair": {
    states: "One workspace reads at most all but one of the documents that a process reads at a time.",
    source: "decision",
  },
} as const satisfies Requirements<"knowledge">;
