import { warnOfUnavailability } from '../../../../src/http/shared/unavailable-warnings';
import { RecordingLog } from '../../../support/fakes/recording-log';

describe('requests that get 503 because of the database', () => {
  it('are logged at WARN with their cause: the first at once, the others once a minute with their number', () => {
    const log = new RecordingLog();
    const slow = new Error('the disk is slow');

    for (const now of [0, 1, 59_000, 61_000, 62_000]) warnOfUnavailability(log, slow, '/api/domains', now);
    warnOfUnavailability(log, undefined, '/api/domains', 62_000);

    expect(log.entries.map(({ level, facts }) => [level, facts['reason'], facts['requests']])).toEqual([
      ['warn', 'the disk is slow', 1],
      ['warn', 'the disk is slow', 3],
      ['warn', 'the database does not respond', 1],
    ]);
  });
});
