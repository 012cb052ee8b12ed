// @ts-check
/** Parses a long YAML text in a worker thread. Plain JavaScript, so that Node can load it from `src` under jest as well as from `dist`. */
const { parentPort, workerData } = require('node:worker_threads');
const { parseDocument } = require('yaml');

const document = parseDocument(workerData.text, { prettyErrors: false });
const [error] = [...document.errors, ...document.warnings];
parentPort?.postMessage(
  error
    ? { at: error.pos[0], code: error.code }
    : { json: JSON.stringify(document.toJS({ maxAliasCount: workerData.maxAliasCount })) },
);
