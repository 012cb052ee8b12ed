import type { Scope } from '../../../../domain/access/api-key';
import type { KeyLimits } from '../../../../domain/access/key-limits';
import type { RequiredClaims } from '../../../../domain/access/trust/trust-rule';
import { instant, integer, json, key, nullable, varchar } from '../../database/columns';
import { table, type RowOf } from '../../database/table';
import { actor } from '../actor-column';

export const TrustRuleTable = table(
  'trust_rules',
  {
    id: key(varchar(40)),
    account_id: varchar(40),
    made_by: actor(),
    name: varchar(100),
    issuer: varchar(500),
    audience: varchar(255),
    claims: json<RequiredClaims>(),
    scope: varchar<Scope>(8),
    limits: nullable(json<KeyLimits>()),
    minutes: integer(),
    created_at: instant(),
    updated_at: instant(),
    last_used_at: nullable(instant()),
  },
  { indices: { trust_rules_of_account: ['account_id', 'created_at', 'id'] } },
);
export type TrustRuleRow = RowOf<typeof TrustRuleTable>;
