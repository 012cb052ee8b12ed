import type { MigrationInterface, QueryRunner } from 'typeorm';

/** MD, MF, MB, MG, MR, MINFO, RP, AFSDB, RT, PX and KX. */
const TYPES = '3, 4, 7, 8, 9, 14, 17, 18, 21, 26, 36';

/**
 * Former versions signed records of these types (`TYPE###`) with upper-case letters in their names, which validators reject: they are
 * due for new signatures. The domains are read first, without locks.
 */
export class CanonicalNames1795811400000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'CanonicalNames1795811400000';

  async up(runner: QueryRunner): Promise<void> {
    const zones = (await runner.query(
      `SELECT DISTINCT domain_id FROM derived_rrsets WHERE type IN (${TYPES})`,
    )) as readonly { domain_id: string }[];
    for (const { domain_id: domainId } of zones)
      await runner.query(`UPDATE derived_rrsets SET refresh_at = 0 WHERE domain_id = ? AND type IN (${TYPES})`, [
        domainId,
      ]);
  }

  /** Signatures that were made meanwhile are right for former versions, too. */
  async down(): Promise<void> {}
}
