import type { CheckState } from '../../../../src/domain/health/health-check';
import { countText } from '../../../../src/http/dashboard/health/health-page';

describe('the headline of a health page', () => {
  it.each<[string, readonly CheckState[], string]>([
    ['nothing', ['ok', 'not_applicable'], 'None of 2 checks needs your attention.'],
    ['problems', ['problem', 'ok'], '1 of 2 checks needs your attention.'],
    [
      'nothing in the checks that could run',
      ['ok', 'unknown', 'unknown'],
      '2 of 3 checks could not run; the others found nothing that needs your attention.',
    ],
    [
      'problems, and checks that could not run',
      ['problem', 'warning', 'unknown'],
      '2 of 3 checks need your attention, and 1 could not run.',
    ],
  ])('counts %s', (_what, states, text) => {
    expect(countText(states.map((state) => ({ state })))).toBe(text);
  });
});
