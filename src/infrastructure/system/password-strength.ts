import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** zxcvbn scores from 0 to 4; 3 takes at least 10^8 guesses, which a slow hash makes dear. */
const LEAST_SCORE = 3;
/** The work grows faster than the text; a text whose first characters are hard to guess is hard to guess. */
const JUDGED_CHARACTERS = 40;

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** Whether the text is easy to guess for an attacker who knows `personal`: words about the person, such as the e-mail. */
export function isWeak(password: string, personal: readonly string[]): boolean {
  return estimator.check(password.slice(0, JUDGED_CHARACTERS), [...personal, 'namewright']).score < LEAST_SCORE;
}
