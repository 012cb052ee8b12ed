import { bigint, instant, integer, key, text, varchar } from './database/columns';
import { table } from './database/table';

/** Held by one process at a time, which raises `beats` to show that it lives. */
export const LeaseTable = table('leases', { name: key(varchar(40)), owner: varchar(40), beats: bigint() });

/** Processes that serve requests; each raises its `beats` to show that it lives. */
export const ReplicaTable = table('replicas', { id: key(varchar(40)), beats: bigint() });

/** When the next call to each registry may be sent, in microseconds on the clock of the database server. */
export const CallReservationTable = table('call_reservations', { registry: key(varchar(40)), free_at: bigint() });

/** One row: a text sealed with the secret key of this database. */
export const SecretKeyProofTable = table('secret_key_proof', { id: key(integer()), sealed: varchar(255) });

/** One row: the last successful backup of this database, as `namewright_backup_last_success_timestamp_seconds` shows it. */
export const LastBackupTable = table('last_backup', {
  id: key(integer()),
  succeeded_at: instant(),
  bytes: bigint(),
});

/** Written by `/readyz` to check that the database takes writes. */
export const WriteCheckTable = table('write_checks', { id: key(integer()), checked_at: instant(), filler: text() });
