import type { NamedState } from '../../../application/desired-state/apply-state';
import { runCooperatively } from '../../../application/shared/run-cooperatively';
import type { DesiredState } from '../../../domain/portfolio/desired-state';
import type { Issue } from '../../../domain/shared/issue';
import { ServiceError } from '../../../domain/shared/service-error';
import { ValidationError } from '../../../domain/shared/validation-error';
import { anyObject, choice, list, object, optional, text, type ValueOf } from '../shape';
import { readOctodnsZone } from './octodns-zone';
import { stateOf } from './state-body';

/** What a document is. */
export const STATE_FORMATS = ['state', 'octodns'] as const;
export type StateFormat = (typeof STATE_FORMATS)[number];

interface StateDocument {
  readonly body: unknown;
  readonly format: StateFormat;
  readonly managedBy: string | undefined;
}

const MAX_STATES = 100;

/** States of many names. What is in them is checked with each, so that one that is wrong keeps no plan of the others back. */
const STATE_LIST = object(
  {
    states: list(
      object(
        {
          name: text({ description: 'The name.' }),
          state: anyObject({ description: 'A state, or a zone of octoDNS.' }),
          format: optional(choice(STATE_FORMATS, { description: 'What the document is.' })),
          managed_by: optional(text({ description: 'For octoDNS.' })),
        },
        { description: 'A name.' },
      ),
      { description: 'The names.', most: MAX_STATES },
    ),
  },
  { description: 'States of names.' },
);

export function isFormat(value: string): value is StateFormat {
  return STATE_FORMATS.some((each) => each === value);
}

/** @throws ValidationError */
export function ownerOf(managedBy: string | undefined): string | undefined {
  const owner = managedBy?.trim();
  if (owner === '') throw ValidationError.of('managed_by', 'must not be empty');
  return owner;
}

/** @throws ValidationError with the path of every wrong member */
export async function documentState(
  { body, format, managedBy }: StateDocument,
  accountId: string,
): Promise<DesiredState> {
  const owner = ownerOf(managedBy);
  if (format === 'octodns') {
    const { records, places } = await runCooperatively(readOctodnsZone(objectOf(body)), accountId);
    return { records: { owner, records, placeOf: (index) => places[index] ?? '' } };
  }
  if (owner !== undefined)
    throw ValidationError.of('managed_by', 'is for zone files and octoDNS: a state has it in the document');
  return stateOf(body, accountId);
}

/** The names of a list, each with its state or what is wrong with it. @throws ValidationError if it is no list */
export async function namedStates(body: unknown, accountId: string): Promise<readonly NamedState[]> {
  const issues: Issue[] = [];
  await runCooperatively(STATE_LIST.check(body, '', issues), accountId);
  if (issues.length > 0) throw new ValidationError(issues);
  const { states } = body as ValueOf<typeof STATE_LIST>;
  if (states.length === 0) throw ValidationError.of('states', 'must not be empty');
  const named: NamedState[] = [];
  for (const { name, state, format = 'state', managed_by: managedBy } of states)
    named.push({ name, state: await stateOrError({ body: state, format, managedBy }, accountId) });
  return named;
}

async function stateOrError(document: StateDocument, accountId: string): Promise<DesiredState | ServiceError> {
  try {
    return await documentState(document, accountId);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** @throws ValidationError */
function objectOf(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw ValidationError.of('', 'The body must be an object');
}
