/** Whether a text has at most this many bytes of UTF-8. */
export const fits = (text: string, maxBytes: number): boolean =>
  // A UTF-16 unit takes at most three bytes, so most texts need no count.
  text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;

/**
 * Orders strings as DynamoDB orders string sort keys: by their UTF-8 bytes.
 * JavaScript's `<` compares UTF-16 units, which puts surrogate pairs (U+10000 and above) before U+E000 to U+FFFF.
 */
export const compareUtf8 = (a: string, b: string): number => {
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index += 1) {
    const unit = a.charCodeAt(index);
    const other = b.charCodeAt(index);
    if (unit !== other) return rank(unit) - rank(other);
  }
  return a.length - b.length;
};

/** Ranks surrogates (U+D800 to U+DFFF) above all other units, so that the first different unit decides as the bytes would. */
const rank = (unit: number): number => {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
};
