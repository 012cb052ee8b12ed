import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** zxcvbn scores from 0 to 4; 3 means at least 10^8 guesses. */
const MIN_SCORE = 3;
/** zxcvbn's running time grows faster than the text. */
const SCORED_CHARACTERS = 40;

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** Whether the password is easy to guess. `personal`: words that an attacker knows, such as the e-mail address. */
export function isWeak(password: string, personal: readonly string[]): boolean {
  return estimator.check(password.slice(0, SCORED_CHARACTERS), [...personal, 'namewright']).score < MIN_SCORE;
}
