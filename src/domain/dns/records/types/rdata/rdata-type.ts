import { ROOT, typedName } from '../../record-name';
import { InvalidRecordData, type TypeDefinition } from '../type-definition';
import { isGeneric, MAX_RDATA_LENGTH, parseGeneric } from './generic-rdata';
import type { RdataField, ResolveName } from './rdata-fields';
import { RdataReader } from './rdata-reader';
import { WordReader, wordsOf, type Word } from './words';

/** A type whose content is its RDATA in presentation format. */
interface RdataTypeForm extends Pick<
  TypeDefinition,
  'name' | 'number' | 'expectation' | 'checkName' | 'parts' | 'isNewToOthers'
> {
  readonly fields: readonly RdataField[];
  /** Those of `ContentForm.portable`. */
  readonly portableFields?: readonly RdataField[];
  /** Whether the fields fit together, such as the length of a digest and its type. */
  readonly isValid?: (octets: Buffer) => boolean;
}

/**
 * Defines a type by the fields of its RDATA. The stored content is canonical: one blank between fields, names absolute and in
 * lower case, numbers in decimal, digests in lower-case hexadecimal.
 */
export function rdataType({ fields, portableFields, isValid = () => true, ...form }: RdataTypeForm): TypeDefinition {
  const encode = (words: readonly Word[], resolve: ResolveName): Buffer | undefined => {
    if (isGeneric(words)) return parseGeneric(words);
    const reader = new WordReader(words);
    const parts: Buffer[] = [];
    for (const field of fields) {
      const octets = field.parse(reader, resolve);
      if (!octets) return undefined;
      parts.push(octets);
    }
    return reader.isAtEnd ? Buffer.concat(parts) : undefined;
  };
  const format = (reader: RdataReader, formats = fields): string => {
    const text = formats.map((field) => field.format(reader)).filter((part) => part !== '');
    reader.assertEnd();
    return text.join(' ');
  };
  const canonical = (words: readonly Word[], resolve: ResolveName): string | undefined => {
    try {
      const octets = encode(words, resolve);
      if (!octets || octets.length > MAX_RDATA_LENGTH) return undefined;
      const text = format(new RdataReader(octets));
      return isValid(octets) ? text : undefined;
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  };
  /** Names the first part that is invalid, if the type has a name for each part. */
  const problem = (words: readonly Word[], resolve: ResolveName): string | undefined => {
    const reader = new WordReader(words);
    if (isGeneric(words) || form.parts?.length !== fields.length) return undefined;
    for (const [index, field] of fields.entries()) {
      const label = form.parts[index]?.label.toLowerCase() ?? '';
      const start = reader.position;
      if (field.parse(reader, resolve)) continue;
      const found =
        start === words.length
          ? `the ${label} is missing`
          : (field.problem?.(new WordReader(words.slice(start))) ??
            `the ${label} ${reader.shownSince(start)} is invalid`);
      return `${found}. The form is ${form.expectation}`;
    }
    return undefined;
  };
  const wire = (content: string): Buffer => encode(wordsOf(content) ?? [], absoluteName) ?? Buffer.alloc(0);
  return {
    numbers: {},
    allowedAtRoot: true,
    takesGenericRdata: true,
    ...form,
    content: {
      canonicalize: (content, { zoneName }) => canonical(wordsOf(content) ?? [], (word) => fullName(word, zoneName)),
      problem: (content, { zoneName }) => problem(wordsOf(content) ?? [], (word) => fullName(word, zoneName)),
      presentation: (content) => content,
      ...(portableFields && {
        portable: (content) => format(new RdataReader(wire(content)), portableFields),
      }),
    },
    parse: (words, absolute) => {
      const content = canonical(words, absolute);
      if (content === undefined) throw new InvalidRecordData(invalidData(form, problem(words, absolute)));
      return { content };
    },
    encode: ({ content }) => wire(content),
    decode: (reader) => ({ content: format(reader) }),
  };
}

function invalidData({ name, expectation }: Pick<RdataTypeForm, 'name' | 'expectation'>, problem?: string): string {
  return problem === undefined
    ? `the data of a ${name} record must be ${expectation}`
    : `the data of a ${name} record is invalid: ${problem}`;
}

/** A name that is absolute with or without its trailing dot; a single label needs the dot. */
function fullName({ text, quoted }: Word, zoneName: string): string | undefined {
  if (quoted) return undefined;
  if (text === ROOT) return `${zoneName}.`;
  const typed = typedName(text);
  return typed && (typed.absolute || typed.name.includes('.')) ? `${typed.name}.` : undefined;
}

function absoluteName({ text }: Word): string {
  return text;
}
