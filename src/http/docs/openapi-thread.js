// @ts-check
/** Parses the OpenAPI document in a worker thread. Plain JavaScript, so that Node can load it from `src` under jest as well as from `dist`. */
const { readFileSync } = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');
const { parse } = require('yaml');

parentPort?.postMessage(parse(readFileSync(workerData, 'utf8'), { maxAliasCount: -1 }));
