// @ts-check
/**
 * Runs in a worker thread and makes signatures: ECDSA P-256 with SHA-256, 64 octets each (RFC 6605, section 4).
 * Plain JavaScript, so that Node can load it from `src` under jest as well as from `dist`.
 */
const { sign } = require('node:crypto');
const { parentPort } = require('node:worker_threads');

const SIGNATURE = 64;

parentPort?.on('message', (/** @type {import('./signing-threads').SigningRequest} */ { keys, data, lengths }) => {
  const signatures = new Uint8Array(lengths.length * SIGNATURE);
  let [at, index] = [0, 0];
  for (const [key, count] of keys) {
    for (const length of lengths.subarray(index, index + count)) {
      const signature = sign('sha256', data.subarray(at, at + length), { key, dsaEncoding: 'ieee-p1363' });
      signatures.set(signature, index * SIGNATURE);
      at += length;
      index += 1;
    }
  }
  parentPort?.postMessage(signatures, [signatures.buffer]);
});
