/** Built-in variables: the host, the domain, and both together. */
export const BUILT_IN_VARIABLES = ['host', 'domain', 'fqdn'] as const;

const VARIABLE = /%([^%]*)%/g;
const ONE_VARIABLE = /^%[^%]+%$/;

/** The variables of a text in their order, with the built-in ones. */
export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(VARIABLE)].flatMap(([, name]) => name ?? []);
}

/** Whether each `%` belongs to a variable with a name. */
export function isTemplateText(text: string): boolean {
  return !variablesIn(text).includes('') && !text.replaceAll(VARIABLE, '').includes('%');
}

/** Whether a text is one variable and nothing else. */
export function isOneVariable(text: string): boolean {
  return ONE_VARIABLE.test(text);
}

/** Values are not searched for variables again. */
export function fillText(text: string, valueOf: (name: string) => string): string {
  return text.replaceAll(VARIABLE, (_whole, name: string) => valueOf(name));
}

/** Whether a label of a name starts or ends with a hyphen. The draft forbids it for hosts; records of the zone may have such names. */
export function hasHyphenAtEdge(name: string): boolean {
  return /(?:^|\.)-|-(?:\.|$)/.test(name);
}
