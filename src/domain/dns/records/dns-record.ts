import { validateRecord, type RecordDraft, type RecordValues } from './record-draft';
import { RECORD_NUMBERS, RECORD_RULES, parseRecordType } from './record-rules';
import type { RecordType } from './record-type';
import { NO_TARGET } from './target-name';

export type RecordPatch = { readonly [Field in keyof RecordDraft]?: RecordDraft[Field] | undefined };

export interface DnsRecordState extends RecordValues {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export class DnsRecord {
  private constructor(private state: DnsRecordState) {}

  /** @throws the errors of `validateRecord` */
  static create(draft: RecordDraft, zoneName: string, id: string, now: Date): DnsRecord {
    return new DnsRecord({ id, ...validateRecord(draft, zoneName), createdAt: now, updatedAt: now });
  }

  static fromState(state: DnsRecordState): DnsRecord {
    return new DnsRecord(state);
  }

  get id(): string {
    return this.state.id;
  }

  get type(): RecordType {
    return this.state.type;
  }

  get name(): string {
    return this.state.name;
  }

  get ttl(): number {
    return this.state.ttl;
  }

  copy(): DnsRecord {
    return new DnsRecord(this.state);
  }

  /**
   * Changes the fields of the patch and validates the resulting record. A new type drops numbers that it does not use.
   * @throws the errors of `validateRecord`; then nothing is changed
   */
  change(patch: RecordPatch, zoneName: string, now: Date): void {
    const { numbers } = RECORD_RULES[parseRecordType(patch.type ?? this.state.type)];
    const kept = (field: (typeof RECORD_NUMBERS)[number]): number | null =>
      numbers[field] === undefined ? null : this.state[field];
    const draft: RecordDraft = {
      type: patch.type ?? this.state.type,
      name: patch.name ?? this.state.name,
      content: patch.content ?? this.state.content,
      ttl: patch.ttl ?? this.state.ttl,
      priority: patch.priority ?? kept('priority'),
      weight: patch.weight ?? kept('weight'),
      port: patch.port ?? kept('port'),
    };
    this.state = { ...this.state, ...validateRecord(draft, zoneName), updatedAt: now };
  }

  /** RDATA in presentation format: `10 mail.example.com.` */
  rdata(): string {
    const content = RECORD_RULES[this.state.type].content.presentation(this.state.content);
    return [...this.numbers(), content].join(' ');
  }

  /** Length of the RDATA in wire format, in octets. */
  rdataLength(): number {
    return 2 * this.numbers().length + RECORD_RULES[this.state.type].content.wireLength(this.state.content);
  }

  /** Equal for two records of a zone if they have the same name, type and RDATA. The TTL does not count. */
  identity(): string {
    return `${this.state.name} ${this.state.type} ${this.rdata()}`;
  }

  /** Whether the records are equal except for their ids and timestamps. */
  hasSameValues(other: DnsRecord): boolean {
    const fields = ['name', 'type', 'content', 'ttl', ...RECORD_NUMBERS] as const;
    return fields.every((field) => this.state[field] === other.state[field]);
  }

  /** RFC 7505: the domain accepts no mail. */
  isNullMx(): boolean {
    return this.state.type === 'MX' && this.state.content === NO_TARGET;
  }

  toState(): DnsRecordState {
    return this.state;
  }

  private numbers(): number[] {
    return RECORD_NUMBERS.flatMap((field) => this.state[field] ?? []);
  }
}
