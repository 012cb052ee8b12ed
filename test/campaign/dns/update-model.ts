/** One record of the prerequisite section: RFC 2136, section 2.4. */
export interface ModelPrerequisite {
  readonly kind: 'in use' | 'not in use' | 'set exists' | 'set absent' | 'set equals';
  /** Relative; `@` is the apex. */
  readonly name: string;
  readonly type: string;
  readonly data: string;
}

/** One record of the update section: RFC 2136, section 2.5. */
export interface ModelChange {
  readonly kind: 'add' | 'delete record' | 'delete set' | 'delete name';
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl: number;
}

export interface ModelUpdate {
  readonly prerequisites: readonly ModelPrerequisite[];
  readonly changes: readonly ModelChange[];
}

const DELEGATION_TTL = 3_600;

/** A zone by the text of RFC 2136, section 3, written without a look at the implementation. */
export class ZoneModel {
  /** TTL by name, type and data, separated by tabs. */
  private records = new Map<string, number>();

  constructor(private readonly delegation: readonly string[]) {}

  /** Carries out an update; all of it or nothing. Returns the response code. */
  apply({ prerequisites, changes }: ModelUpdate): string {
    const failure = this.check(prerequisites);
    if (failure !== undefined) return failure;
    const before = new Map(this.records);
    for (const change of changes) if (!isUnknownType(change)) this.change(change);
    // With the TTL of the delegation, a record that repeats it is not stored.
    for (const host of this.delegation)
      if (this.records.get(`@\tNS\t${host}`) === DELEGATION_TTL) this.records.delete(`@\tNS\t${host}`);
    if (!changes.some(isUnknownType) && !this.withdrawsDelegation(changes)) return 'NOERROR';
    this.records = before;
    return 'REFUSED';
  }

  /** `name TTL type data` for each record, sorted. */
  lines(): readonly string[] {
    return [...this.records].map(([key, ttl]) => key.split('\t').toSpliced(1, 0, String(ttl)).join(' ')).toSorted();
  }

  private check(prerequisites: readonly ModelPrerequisite[]): string | undefined {
    const wanted = new Map<string, Set<string>>();
    for (const { kind, name, type, data } of prerequisites) {
      const has = type !== '' && this.set(name, type).size > 0;
      if (kind === 'in use' && !this.isInUse(name)) return 'NXDOMAIN';
      if (kind === 'not in use' && this.isInUse(name)) return 'YXDOMAIN';
      if (kind === 'set exists' && !has) return 'NXRRSET';
      if (kind === 'set absent' && has) return 'YXRRSET';
      if (kind === 'set equals')
        wanted.set(`${name}\t${type}`, (wanted.get(`${name}\t${type}`) ?? new Set<string>()).add(data));
    }
    for (const [key, data] of wanted) {
      const [name = '', type = ''] = key.split('\t');
      const present = this.set(name, type);
      if (present.size !== data.size || [...data].some((each) => !present.has(each))) return 'NXRRSET';
    }
    return undefined;
  }

  private change({ kind, name, type, data, ttl }: ModelChange): void {
    const isProtected = (key: string): boolean => name === '@' && key.split('\t')[1] === 'NS';
    if (kind === 'delete name') this.remove(name, (key) => !isProtected(key));
    if (kind === 'delete set') this.remove(name, (key) => key.split('\t')[1] === type && !isProtected(key));
    if (kind === 'delete record') this.records.delete([name, type, data].join('\t'));
    if (kind !== 'add' || type === 'SOA') return;
    const types = this.typesAt(name);
    if (type === 'CNAME' ? types.some((each) => each !== 'CNAME') || name === '@' : types.includes('CNAME')) return;
    if (type === 'CNAME') this.remove(name, () => true);
    this.records.set([name, type, data].join('\t'), Math.min(Math.max(ttl, 60), 604_800));
  }

  /** The delegation is at the registry: one of its NS records can be deleted only to be added again. */
  private withdrawsDelegation(changes: readonly ModelChange[]): boolean {
    const ofHost = (host: string) =>
      changes.filter(({ name, type, data }) => name === '@' && type === 'NS' && data === host);
    return this.delegation.some((host) => ofHost(host).at(-1)?.kind === 'delete record');
  }

  private remove(name: string, isGone: (key: string) => boolean): void {
    for (const key of this.records.keys()) if (key.startsWith(`${name}\t`) && isGone(key)) this.records.delete(key);
  }

  private typesAt(name: string): readonly string[] {
    return [...this.records.keys()].filter((key) => key.startsWith(`${name}\t`)).map((key) => key.split('\t')[1] ?? '');
  }

  private isInUse(name: string): boolean {
    return name === '@' || this.typesAt(name).length > 0;
  }

  private set(name: string, type: string): ReadonlySet<string> {
    if (name === '@' && type === 'SOA') return new Set(['the SOA']);
    const own = [...this.records.keys()].map((key) => key.split('\t')).filter(([n, t]) => n === name && t === type);
    return new Set([...own.map((each) => each[2] ?? ''), ...(name === '@' && type === 'NS' ? this.delegation : [])]);
  }
}

function isUnknownType({ kind, type }: ModelChange): boolean {
  return kind === 'add' && type === 'RP';
}
