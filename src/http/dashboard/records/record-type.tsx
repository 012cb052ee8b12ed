import {
  isNamedType,
  OTHER_TYPES,
  type RecordType,
  type WritableType,
} from '../../../domain/dns/records/types/record-types';
import { Icon } from '../layout/icon';

/** What the data of record types is for, in the order of forms. */
const KINDS = {
  address: { label: 'Address', icon: 'map-pin' },
  alias: { label: 'Alias', icon: 'link' },
  mail: { label: 'Mail', icon: 'mail' },
  text: { label: 'Text', icon: 'file-text' },
  delegation: { label: 'Delegation', icon: 'network' },
  service: { label: 'Service', icon: 'plug' },
  security: { label: 'Security', icon: 'shield' },
  other: { label: 'Other', icon: 'box' },
} as const;
type Kind = keyof typeof KINDS;

const KIND_OF: Readonly<Record<WritableType, Kind>> = {
  A: 'address',
  AAAA: 'address',
  CNAME: 'alias',
  MX: 'mail',
  TXT: 'text',
  NS: 'delegation',
  SRV: 'service',
  CAA: 'security',
  HTTPS: 'service',
  SVCB: 'service',
  TLSA: 'security',
  SSHFP: 'security',
  DS: 'delegation',
  PTR: 'alias',
  NAPTR: 'service',
  URI: 'service',
  LOC: 'text',
  DNAME: 'alias',
  ALIAS: 'alias',
  SMIMEA: 'security',
  OPENPGPKEY: 'security',
  CERT: 'security',
  HINFO: 'text',
  DHCID: 'other',
  CDS: 'delegation',
  CDNSKEY: 'delegation',
  DNSKEY: 'delegation',
  DSYNC: 'delegation',
  [OTHER_TYPES]: 'other',
};

function kindOf(type: RecordType | WritableType): Kind {
  return isNamedType(type) ? KIND_OF[type] : 'other';
}

/** The type beside a picture of the kind of data that it has. */
export function RecordTypeName({ type }: { readonly type: RecordType }) {
  return (
    <span class="record-type">
      <Icon name={KINDS[kindOf(type)].icon} />
      {type}
    </span>
  );
}

interface KindOfTypes {
  readonly label: string;
  readonly types: readonly WritableType[];
}

/** The kinds that some of these types have, each with its types. */
export function groupByKind(types: readonly WritableType[]): readonly KindOfTypes[] {
  return (Object.keys(KINDS) as readonly Kind[])
    .map((kind) => ({ label: KINDS[kind].label, types: types.filter((type) => kindOf(type) === kind) }))
    .filter((group) => group.types.length > 0);
}

/** Pictures of the kinds, of which scripts show that of the type that a form has. */
export function KindIcons({ types }: { readonly types: readonly WritableType[] }) {
  return (
    <span class="kind-icons" data-scripted hidden>
      {(Object.keys(KINDS) as readonly Kind[]).map((kind) => (
        <span key={kind} data-types={types.filter((type) => kindOf(type) === kind).join(' ')} hidden>
          <Icon name={KINDS[kind].icon} />
        </span>
      ))}
    </span>
  );
}
