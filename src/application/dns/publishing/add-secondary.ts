import { inject, injectable } from '../../ports/inject';
import { requireEndpoint, parseSecondaryName, type Secondary } from '../../../domain/dns/secondaries/secondary';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Clock } from '../../ports/system';
import { ZoneSigningReader } from '../../ports/dns/signing-repository';
import { SecondaryDirectory } from '../../ports/dns/publishing';

interface NewSecondary {
  readonly name: string;
  readonly address: string;
  /** Optional if only one key exists. */
  readonly key?: string | undefined;
  readonly signs: boolean;
}

/** Allows this nameserver to transfer the zones, and sends it NOTIFY for changes. @throws ValidationError */
@injectable()
export class AddSecondary {
  constructor(
    @inject(SecondaryDirectory) private readonly directory: SecondaryDirectory,
    @inject(ZoneSigningReader) private readonly signings: Pick<ZoneSigningReader, 'any'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ name, address, key, signs }: NewSecondary): Promise<Secondary> {
    const secondary = {
      name: parseSecondaryName(name),
      endpoint: requireEndpoint(address),
      keyName: key ?? (await this.onlyKey()),
      signs,
      createdAt: this.clock.now(),
    };
    if (secondary.endpoint.port === 0) throw ValidationError.of('address', 'must have a port from 1 to 65535');
    if (signs && (await this.signings.any()))
      throw ValidationError.of(
        'signs',
        'cannot be used while the service signs zones itself: switch DNSSEC off for all domains, or add the secondary without --signs',
      );
    await this.directory.add(secondary);
    return secondary;
  }

  private async onlyKey(): Promise<string> {
    const [key, ...others] = (await this.directory.keys()).filter(({ revokedAt }) => revokedAt === null);
    if (!key) throw ValidationError.of('key', 'is required: create one with dns tsig create');
    if (others.length > 0) throw ValidationError.of('key', 'must say which one, as there are several');
    return key.name;
  }
}
