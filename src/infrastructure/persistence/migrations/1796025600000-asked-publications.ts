import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the feed of an account was last read with `zone.published`. Older versions write such events until a newer one ends them. */
export class AskedPublications1796025600000 implements MigrationInterface {
  static readonly expandOnly = true;
  readonly name = 'AskedPublications1796025600000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('event_feeds', 'publications_asked_at')))
      await runner.query('ALTER TABLE event_feeds ADD COLUMN publications_asked_at BIGINT NULL');
    await runner.query('UPDATE event_feeds SET publications_asked_at = ? WHERE publications_from IS NOT NULL', [
      Date.now(),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE event_feeds DROP COLUMN publications_asked_at');
  }
}
