const surrogate = /[\uD800-\uDFFF]/;

/**
 * Orders strings as DynamoDB orders string sort keys: by their UTF-8 bytes, the order of code points.
 * JavaScript's `<` compares UTF-16 units, and so puts U+10000 and above before U+E000 to U+FFFF.
 */
export const compareUtf8 = (a: string, b: string): number => {
  // Most strings have no surrogates. For these, `<` gives the same order, and takes a third of the time of
  // the loop below until V8 has compiled the loop.
  if (!surrogate.test(a) && !surrogate.test(b)) return a < b ? -1 : Number(a > b);
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index += 1) {
    if (a.charCodeAt(index) !== b.charCodeAt(index)) {
      return (a.codePointAt(index) ?? 0) - (b.codePointAt(index) ?? 0);
    }
  }
  return a.length - b.length;
};
