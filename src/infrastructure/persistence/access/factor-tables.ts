import { bigint, digest, instant, key, table, text, varchar, type RowOf } from '../database/table';

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
