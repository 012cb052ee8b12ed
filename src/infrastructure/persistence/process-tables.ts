import { bigint, instant, integer, key, table, text, varchar } from './database/table';

/** Held by one process at a time, which raises `beats` to show that it lives. */
export const LeaseTable = table('leases', { name: key(varchar(40)), owner: varchar(40), beats: bigint() });

/** One row: a text sealed with the secret key of this database. */
export const SecretKeyProofTable = table('secret_key_proof', { id: key(integer()), sealed: varchar(255) });

/** Written by `/readyz` to check that the database takes writes. */
export const WriteCheckTable = table('write_checks', { id: key(integer()), checked_at: instant(), filler: text() });
