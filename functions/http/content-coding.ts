/** The supported content codings (RFC 9110 section 8.4.1), in order of preference. */
const codings = ['br', 'gzip', 'identity'] as const;
type ContentCoding = (typeof codings)[number];

/**
 * Chooses the content coding with the client's highest weight (RFC 9110 section 12.5.3). `br` and `gzip` need
 * a weight above 0. `identity` is the default, which is chosen if no coding has a weight above 0.
 */
export const chooseCoding = (acceptEncoding: string): ContentCoding => {
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(parseWeight));
  const weightOf = (coding: ContentCoding): number =>
    weights.get(coding) ?? (coding === 'identity' ? 0 : (weights.get('*') ?? 0));
  const [first = 'identity', ...others] = codings.filter((coding) => weightOf(coding) > 0);
  return others.reduce((best, coding) => (weightOf(coding) > weightOf(best) ? coding : best), first);
};

/** RFC 9110 section 12.4.2. */
const weightSyntax = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

const parseWeight = (element: string): [string, number] => {
  const [coding = '', weight] = element.split(';').map((part) => part.trim());
  return [coding, weight === undefined ? 1 : Number(weightSyntax.exec(weight)?.[1] ?? 0)];
};

/** Compresses with quality 1, which takes a fraction of the default's time, for a few percent more bytes. */
export const compress = (text: string, coding: 'br' | 'gzip'): Buffer => {
  // An import would load the module in each cold start, although short lists are not compressed.
  const { brotliCompressSync, constants, gzipSync } = process.getBuiltinModule('node:zlib');
  return coding === 'br'
    ? brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
    : gzipSync(text, { level: 1 });
};
