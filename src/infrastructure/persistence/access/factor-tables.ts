import {
  bigint,
  digest,
  instant,
  key,
  named,
  notInState,
  nullable,
  storedIn,
  text,
  varchar,
} from '../database/columns';
import { table, type RowOf } from '../database/table';

/** Authenticator apps. No foreign keys to users: releases before these tables remove users without them. */
export const TotpTable = table('totp_secrets', {
  user_id: key(varchar(40)),
  sealed_secret: text(),
  last_step: bigint(),
  created_at: instant(),
});
export type TotpRow = RowOf<typeof TotpTable>;

/** Codes that have not been used. */
export const RecoveryCodeTable = table(
  'recovery_codes',
  { digest: key(digest()), user_id: varchar(40) },
  { indices: { recovery_codes_by_user: ['user_id'] } },
);

export const PasskeyTable = table(
  'passkeys',
  {
    /** Of the credential id, which is too long for an index. */
    digest: notInState(key(digest())),
    user_id: varchar(40),
    credential_id: named('id', text()),
    name: varchar(100),
    public_key: text(),
    counter: bigint(),
    transports: storedIn<string, readonly string[]>(varchar(100), {
      read: (list) => (list === '' ? [] : list.split(',')),
      write: (transports) => transports.join(','),
    }),
    created_at: instant(),
    last_used_at: nullable(instant()),
  },
  { indices: { passkeys_by_user: ['user_id', 'created_at'] } },
);
export type PasskeyRow = RowOf<typeof PasskeyTable>;

/** Challenges of WebAuthn, logout tokens and quotes that were used, and what logouts have ended, until they expire. */
export const UsedTokenTable = table(
  'used_challenges',
  { digest: key(digest()), expires_at: instant() },
  { indices: { used_challenges_by_expiry: ['expires_at'] } },
);

/** Accounts of people at OpenID Connect providers. */
export const IdentityTable = table(
  'identities',
  {
    /** As `identityId` calculates it. */
    digest: notInState(key(digest())),
    person_id: varchar(40),
    issuer: text(),
    subject: text(),
    name: varchar(254),
    created_at: instant(),
    last_used_at: nullable(instant()),
  },
  { indices: { identities_by_person: ['person_id', 'created_at'] } },
);
export type IdentityRow = RowOf<typeof IdentityTable>;
