import { readFileSync } from 'node:fs';
import type { Contacts } from '../../../../typescript/src/namewright.ts';
import type { Session } from '../../program/session.ts';
import { UsageError } from '../../program/usage-error.ts';

export const REGISTRANT_OPTIONS = {
  registrant: { type: 'string', value: 'FILE', description: 'the registrant as JSON, with the members of the API' },
  'registrant-of': { type: 'string', value: 'DOMAIN', description: 'the registrant of a domain of the account' },
} as const;

type Registrant = Contacts['registrant'];

interface RegistrantValues {
  readonly registrant?: string;
  readonly 'registrant-of'?: string;
}

export async function registrantOf(session: Session, values: RegistrantValues): Promise<Registrant> {
  const { registrant: file, 'registrant-of': domain } = values;
  if ((file === undefined) === (domain === undefined))
    throw new UsageError('say who the registrant is: --registrant FILE or --registrant-of DOMAIN');
  if (file !== undefined) return readRegistrant(file);
  const { contacts } = await session.client.readDomainByName({ path: { name: domain ?? '' } });
  if (!contacts.registrant) throw new UsageError(`the registrant of ${domain} is unknown, or not for this key`);
  return contacts.registrant;
}

function readRegistrant(file: string): Registrant {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Registrant | Contacts;
    return 'registrant' in value ? value.registrant : value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} cannot be read: ${reason}`, { cause: error });
  }
}
