import type * as Core from '@zxcvbn-ts/core';
import type * as Language from '@zxcvbn-ts/language-common';

/** zxcvbn scores from 0 to 4; 3 means at least 10^8 guesses. */
const MIN_SCORE = 3;
/** zxcvbn's running time grows faster than the text. */
const SCORED_CHARACTERS = 40;

let estimator: Core.ZxcvbnFactory | undefined;

/** Whether the password is easy to guess. `personal`: words that an attacker knows, such as the e-mail address. */
export function isWeak(password: string, personal: readonly string[]): boolean {
  estimator ??= createEstimator();
  return estimator.check(password.slice(0, SCORED_CHARACTERS), [...personal, 'namewright']).score < MIN_SCORE;
}

/** Unpacking the dictionary takes 0.2 s, which most processes need not spend: few set a password. */
function createEstimator(): Core.ZxcvbnFactory {
  const { ZxcvbnFactory } = require('@zxcvbn-ts/core') as typeof Core;
  const { adjacencyGraphs: graphs, dictionary } = require('@zxcvbn-ts/language-common') as typeof Language;
  return new ZxcvbnFactory({ dictionary, graphs });
}
