import { RandomIds } from '../../src/infrastructure/system/random/random-ids';
import { RandomKeys } from '../../src/infrastructure/system/random/random-keys';
import { RandomTokens } from '../../src/infrastructure/system/random/random-tokens';
import { SequentialIds } from '../support/fakes/sequential-ids';
import { SequentialKeys } from '../support/fakes/sequential-keys';
import { SequentialTokens } from '../support/fakes/sequential-tokens';
import { idGeneratorContract, keyGeneratorContract, tokenGeneratorContract } from './generators.contract';

idGeneratorContract('random ids', () => new RandomIds());
idGeneratorContract('the ids of the unit tests', () => new SequentialIds());
keyGeneratorContract('random keys', () => new RandomKeys('nw'));
keyGeneratorContract('the keys of the unit tests', () => new SequentialKeys());
tokenGeneratorContract('random tokens', () => new RandomTokens());
tokenGeneratorContract('the tokens of the unit tests', () => new SequentialTokens());
