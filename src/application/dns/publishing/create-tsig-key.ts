import { inject, injectable } from '../../ports/inject';
import { parseTsigAlgorithm, parseTsigKeyName, type TsigKey } from '../../../domain/dns/secondaries/tsig-key';
import { Clock } from '../../ports/system';
import { SecondaryDirectory, TsigSecrets } from '../../ports/dns/publishing';

/** Makes a key with a new secret. @throws ValidationError for a bad name or algorithm, or a name that was given before */
@injectable()
export class CreateTsigKey {
  constructor(
    @inject(SecondaryDirectory) private readonly directory: SecondaryDirectory,
    @inject(TsigSecrets) private readonly secrets: TsigSecrets,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ name, algorithm }: { name: string; algorithm: string }): Promise<TsigKey> {
    const key = { name: parseTsigKeyName(name), algorithm: parseTsigAlgorithm(algorithm), secret: this.secrets.next() };
    await this.directory.addKey(key, this.clock.now());
    return key;
  }
}
