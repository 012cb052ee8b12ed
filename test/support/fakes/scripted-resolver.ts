import type { AliasResolver, ResolverResponse } from '../../../src/application/ports/dns/alias-repository';
import type { AddressType, ResolvedRecord } from '../../../src/domain/dns/alias/alias-chain';

/** Answers from records that the test sets: those of the name and of the CNAMEs that it leads to. */
export class ScriptedResolver implements AliasResolver {
  readonly isConfigured = true;
  readonly queries: string[] = [];
  /** In the form `name ttl type data`. */
  records: readonly string[] = [];
  /** All queries fail with this reason. */
  failure: string | undefined;
  /** Runs during each query, which lasts as long. */
  during: (name: string) => void | Promise<void> = () => undefined;

  async query(name: string, type: AddressType): Promise<ResolverResponse> {
    this.queries.push(`${name} ${type}`);
    await this.during(name);
    if (this.failure !== undefined) return { kind: 'failed', reason: this.failure };
    const found = this.parsed().filter((record) => record.type === 'CNAME' || record.type === type);
    return { kind: 'answered', records: found, negativeTtl: 300 };
  }

  isPublishable(address: string): boolean {
    return !address.startsWith('10.');
  }

  private parsed(): ResolvedRecord[] {
    return this.records.map((line) => {
      const [name = '', ttl, type, data = ''] = line.split(' ');
      return { name, ttl: Number(ttl), type: type as ResolvedRecord['type'], data };
    });
  }
}
