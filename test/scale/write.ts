// Writes what prod deploys and the benchmark measured into section 1 of docs/scale.md, then all that follows from it.
import { writeFileSync } from 'node:fs';
import { readDocument } from '../support/markdown.ts';
import { withFigures } from './document.ts';
import { figuresOf } from './figures.ts';
import { readInputs } from './inputs.ts';
import { inputSentences, readMeasured } from './measured.ts';

const write = (file: string, text: string): void => {
  writeFileSync(new URL(`../../${file}`, import.meta.url), text);
};

const measured = readMeasured();
if (Object.keys(measured.share.list).length === 0)
  process.stdout.write(
    'bench/results.json has no figures at a share of a processor: A1 to A4 stay as they are.\n',
  );
const scale = 'docs/scale.md';
write(scale, await withFigures(readDocument(scale), { tables: [], sentences: inputSentences(measured) }));
for (const [file, figures] of Object.entries(figuresOf(readInputs(readDocument(scale)))))
  write(file, await withFigures(readDocument(file), figures));
