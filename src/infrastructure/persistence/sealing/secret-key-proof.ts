import type { EntityManager } from 'typeorm';
import type { SecretBox } from '../../../application/ports/system';
import type { Database } from '../database/database';
import { wasNew } from '../database/database-errors';
import { SecretKeyProofTable } from '../process-tables';
import { openSealed } from './open-sealed';

const ROW = 1;
const PURPOSE = 'secret-key-proof';

/**
 * Whether `secrets` has the key that this database is encrypted with. On an empty database, the key of the first process
 * becomes that key. @throws StorageUnavailable
 */
export async function opensDatabase(secrets: SecretBox, database: Database): Promise<boolean> {
  const known = async () =>
    (await database.query<{ sealed: string }>('SELECT sealed FROM secret_key_proof WHERE id = ?', [ROW]))[0];
  let proof = await known();
  if (!proof) {
    await wasNew(database.transaction((manager) => insert(manager, secrets)));
    proof = await known();
  }
  return proof !== undefined && isProofOf(secrets, proof.sealed);
}

/** Whether the proof was sealed with the key of `secrets`. */
export function isProofOf(secrets: SecretBox, sealed: string): boolean {
  return openSealed(secrets, sealed, PURPOSE) !== undefined;
}

/** Makes the key of `secrets` the key of this database. */
export async function replaceProof(secrets: SecretBox, manager: EntityManager): Promise<void> {
  await manager.delete(SecretKeyProofTable, { id: ROW });
  await insert(manager, secrets);
}

async function insert(manager: EntityManager, secrets: SecretBox): Promise<void> {
  await manager.insert(SecretKeyProofTable, { id: ROW, sealed: secrets.seal('', PURPOSE) });
}
