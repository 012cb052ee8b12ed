import { BcryptPasswords } from '../../src/infrastructure/system/bcrypt-passwords';
import { PlainPasswords } from '../support/fakes/plain-passwords';
import { passwordsContract } from './passwords.contract';

passwordsContract('passwords under bcrypt', () => new BcryptPasswords(), 'Password123!');
passwordsContract('the passwords of the unit tests', () => new PlainPasswords(), 'correct horse');
