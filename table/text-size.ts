/** Whether a text has at most this many bytes of UTF-8. */
export const fits = (text: string, maxBytes: number): boolean =>
  // A UTF-16 unit takes at most three bytes, so most texts need no count.
  text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;
