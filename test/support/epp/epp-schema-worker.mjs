// Holds documents against the schemas, in a worker because libxml2-wasm is a module of a kind that Jest cannot load.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';

xmlRegisterFsInputProviders();
const file = fileURLToPath(new URL('../../fixtures/epp/xsd/all.xsd', import.meta.url));
const schema = XmlDocument.fromBuffer(readFileSync(file), { url: file });
const validator = XsdValidator.fromDoc(schema);

function faultsOf(bytes) {
  let document;
  try {
    document = XmlDocument.fromBuffer(bytes);
    validator.validate(document);
    return [];
  } catch (error) {
    return (error.details ?? [error]).map(({ message }) => message.trim());
  } finally {
    document?.dispose();
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
parentPort.on('message', ({ id, bytes }) => parentPort.postMessage({ id, faults: faultsOf(bytes) }));
