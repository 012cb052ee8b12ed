import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** docs/openapi.yaml with every operation under its own name. */
export function readDocument(file) {
  const document = parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 });
  for (const [path, item] of Object.entries(document.paths)) {
    if (item.$ref !== undefined) document.paths[path] = ofZone(document.paths[pathOf(item.$ref)]);
  }
  return document;
}

const pathOf = (reference) => reference.slice('#/paths/'.length).replaceAll('~1', '/').replaceAll('~0', '~');

/** What is below a domain is below a zone, too, and a method needs its own name: `listRecordsOfZone`. */
function ofZone(item) {
  const copy = structuredClone(item);
  for (const operation of Object.values(copy)) {
    if (operation.operationId !== undefined) operation.operationId += OF_ZONE;
  }
  return copy;
}

export const OF_ZONE = 'OfZone';
