import { STATE } from '../../../../../src/http/api/states/state-body';
import { openapi } from '../../../../support/http/openapi';

/** Responses are open to new members. */
function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, inner]) =>
      name === 'additionalProperties' ? [] : [[name, opened(inner)] as const],
    ),
  );
}

it('docs/openapi.yaml has the schema of the description that validates states', () => {
  const { schemas } = openapi.components;

  expect(schemas['DesiredState']).toEqual(STATE.schema);
  expect(schemas['AppliedDocument']).toEqual(opened(STATE.schema));
});
