import { ROOT, typedName } from '../../record-name';
import { InvalidRecordData, type TypeDefinition } from '../type-definition';
import { isGeneric, MAX_RDATA_LENGTH, parseGeneric } from './generic-rdata';
import type { RdataField, ResolveName } from './rdata-fields';
import { RdataReader } from './rdata-reader';
import { WordReader, wordsOf, type Word } from './words';

/** A type whose content is its RDATA in presentation format. */
interface RdataTypeForm extends Pick<TypeDefinition, 'name' | 'number' | 'expectation' | 'checkName' | 'parts'> {
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
  const wire = (content: string): Buffer => encode(wordsOf(content) ?? [], absoluteName) ?? Buffer.alloc(0);
  return {
    numbers: {},
    allowedAtRoot: true,
    takesGenericRdata: true,
    ...form,
    content: {
      canonicalize: (content, { zoneName }) => canonical(wordsOf(content) ?? [], (word) => fullName(word, zoneName)),
      presentation: (content) => content,
      ...(portableFields && {
        portable: (content) => format(new RdataReader(wire(content)), portableFields),
      }),
    },
    parse: (words, absolute) => {
      const content = canonical(words, absolute);
      if (content === undefined)
        throw new InvalidRecordData(`the data of a ${form.name} record must be ${form.expectation}`);
      return { content };
    },
    encode: ({ content }) => wire(content),
    decode: (reader) => ({ content: format(reader) }),
  };
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
