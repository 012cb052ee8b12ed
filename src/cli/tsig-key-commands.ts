import type { IssueApiKey } from '../application/access/api-keys/issue-api-key';
import { OPERATOR } from '../domain/access/actor';
import { isScope } from '../domain/access/api-key';
import { displayName } from '../domain/access/account';
import { parseKeyLimits, type KeyLimits } from '../domain/access/key-limits';
import { ValidationError } from '../domain/shared/validation-error';
import type { CommandSpec, Options } from './command-spec';

export const TSIG_KEY_USAGE = `  key create-tsig --account ID --name NAME [--scope READ|WRITE] [--domain NAME]... [--record NAME]... [--type TYPE]...
                                        creates a TSIG key for dynamic updates (RFC 2136) and prints it in the format of
                                        nsupdate -y; it cannot be shown again. --domain, --record, --type: only these
                                        domains, owner names (_acme-challenge, *.lan) and record types; --scope READ:
                                        only zone transfers`;

export const TSIG_KEY_COMMANDS: Readonly<
  Record<string, CommandSpec<{ readonly issueApiKey: Pick<IssueApiKey, 'executeTsig'> }>>
> = {
  'key create-tsig': {
    required: ['account', 'name'],
    optional: ['scope', 'domain', 'record', 'type'],
    prepare: (options) => {
      const { account: accountId = '', name: nameText = '', scope = 'WRITE' } = options;
      const name = displayName(nameText);
      if (!isScope(scope) || scope === 'ADMIN') throw ValidationError.of('scope', 'must be READ or WRITE');
      const limits = limitsOf(options);
      return async ({ issueApiKey }) => {
        const { key, text } = await issueApiKey.executeTsig({ accountId, actor: OPERATOR, name, scope, limits });
        const [algorithm, tsigName, secret] = text.split(':');
        return { json: { key_id: key.toState().keyId, name: tsigName, algorithm, secret, scope, limits }, text };
      };
    },
  },
};

/** @throws ValidationError */
function limitsOf({ domain: domains, record: names, type: types }: Options): KeyLimits | undefined {
  const limits = { ...(domains && { domains }), ...(names && { names }), ...(types && { types }) };
  return parseKeyLimits(limits) ?? undefined;
}
