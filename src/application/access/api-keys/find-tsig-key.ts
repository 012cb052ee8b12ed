import { inject, injectable } from '../../ports/inject';
import { keyIdOfTsigName, type ApiKeyState } from '../../../domain/access/api-key';
import type { TsigKey } from '../../../domain/dns/secondaries/tsig-key';
import { ApiKeyReader } from '../../ports/access/accounts-and-api-keys';
import { Clock, SecretBox } from '../../ports/system';
import { TSIG_ALGORITHM, tsigSecretPurpose } from './issue-api-key';
import { KeyUses } from './authenticate';

/** A TSIG key of an account, with its secret. */
export interface AccountTsigKey extends TsigKey {
  readonly apiKey: ApiKeyState;
}

/** Finds the active TSIG key that a signed DNS message names. Reads it on every call, so that a revocation takes effect at once. */
@injectable()
export class FindTsigKey {
  constructor(
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(KeyUses) private readonly uses: KeyUses,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param name the name in the TSIG record, in lower case */
  async execute(name: string): Promise<AccountTsigKey | undefined> {
    const keyId = keyIdOfTsigName(name);
    const key = keyId && (await this.keys.find(keyId));
    const sealed = key ? key.toState().sealedTsigSecret : null;
    if (!keyId || !key || !sealed || key.status(this.clock.now()) !== 'active') return undefined;
    const secret = Buffer.from(this.secrets.open(sealed, tsigSecretPurpose(keyId)), 'base64');
    return { name, algorithm: TSIG_ALGORITHM, secret, apiKey: key.toState() };
  }

  /** Records a verified use. */
  recordUse({ apiKey }: AccountTsigKey): void {
    this.uses.record(apiKey.keyId);
  }
}
