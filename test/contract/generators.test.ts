import { RandomIds } from '../../src/infrastructure/system/random-ids';
import { RandomKeys } from '../../src/infrastructure/system/random-keys';
import { SequentialIds } from '../support/sequential-ids';
import { SequentialKeys } from '../support/sequential-keys';
import { idGeneratorContract, keyGeneratorContract } from './generators.contract';

idGeneratorContract('random ids', () => new RandomIds());
idGeneratorContract('the ids of the unit tests', () => new SequentialIds());
keyGeneratorContract('random keys', () => new RandomKeys());
keyGeneratorContract('the keys of the unit tests', () => new SequentialKeys());
