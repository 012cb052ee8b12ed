import { quantityText } from '../../../../src/domain/shared/text/quantity-text';

describe('a number of things in words', () => {
  it.each([
    [0, '0 years'],
    [1, '1 year'],
    [2, '2 years'],
  ])('has the noun in the number of %d', (count, text) => {
    expect(quantityText(count, 'year')).toBe(text);
  });
});
