import { pipeline } from "node:stream";
import type { Duplex, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** A body without its content coding: some proxies compress although no request asks for it. */
export function decodedBody(body: Readable, coding: string): Readable {
  const create = DECODERS[coding.trim().toLowerCase()];
  // The reader gets the error of a body that breaks off.
  return create === undefined ? body : pipeline(body, create(), () => undefined);
}
