import { readDocument } from './document.mjs';

/** For languages that have a type for "one or the other". */
export function documentWithUnions(file) {
  const document = readDocument(file);
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) typeEverySuccess(operation, document.components.responses);
  }
  return document;
}

/** The generators take the type of the first success only: that of a dry run where 201 is the change. */
function typeEverySuccess({ responses = {} }, shared) {
  const response = (status) => shared[responses[status]?.$ref?.split('/').at(-1)] ?? responses[status];
  const schema = (status) => response(status)?.content?.['application/json']?.schema;
  const [plan, created] = [schema('200'), schema('201')];
  if (plan === undefined || created === undefined) return;
  responses['201'] = structuredClone(response('201'));
  responses['201'].content['application/json'] = { schema: { oneOf: [created, plan] } };
  delete responses['200'];
}
