import { judgeRecord, type RecordDraft, type RecordValues } from './record-draft';
import { RECORD_NUMBERS, RECORD_RULES, recordType } from './record-rules';
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

  /** @throws what `judgeRecord` throws */
  static create(draft: RecordDraft, zoneName: string, id: string, now: Date): DnsRecord {
    return new DnsRecord({ id, ...judgeRecord(draft, zoneName), createdAt: now, updatedAt: now });
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
   * Changes what the patch names. The whole record that results is judged; a new type drops the numbers that it has
   * no use for. A refused patch changes nothing.
   * @throws what `judgeRecord` throws
   */
  change(patch: RecordPatch, zoneName: string, now: Date): void {
    const { numbers } = RECORD_RULES[recordType(patch.type ?? this.state.type)];
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
    this.state = { ...this.state, ...judgeRecord(draft, zoneName), updatedAt: now };
  }

  /** RDATA as a zone file has it: `10 mail.example.com.` */
  rdata(): string {
    const content = RECORD_RULES[this.state.type].content.presentation(this.state.content);
    return [...this.numbers(), content].join(' ');
  }

  /** Octets of the RDATA on the wire. */
  rdataLength(): number {
    return 2 * this.numbers().length + RECORD_RULES[this.state.type].content.wireLength(this.state.content);
  }

  /** Equal for two records of a zone exactly when they are the same record: name, type and RDATA, whatever their TTL. */
  identity(): string {
    return `${this.state.name} ${this.state.type} ${this.rdata()}`;
  }

  /** Whether the two differ in nothing but their ids and when they were written. */
  saysTheSameAs(other: DnsRecord): boolean {
    const fields = ['name', 'type', 'content', 'ttl', ...RECORD_NUMBERS] as const;
    return fields.every((field) => this.state[field] === other.state[field]);
  }

  /** A domain that takes no mail, RFC 7505. */
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
