import { costTables, millionTable } from './tables/cost.ts';
import type { Figures } from './document.ts';
import type { Inputs } from './inputs.ts';
import { limitTables } from './tables/limits.ts';
import { loadTables } from './tables/load.ts';
import { readTables } from './tables/reads.ts';
import { decisionSentences, objectiveSentences, runbookSentences, scaleSentences } from './sentences.ts';

/** The figures of each document that follow from the inputs in docs/scale.md. */
export const figuresOf = (inputs: Inputs): Readonly<Record<string, Figures>> => ({
  'docs/scale.md': {
    tables: [...loadTables(inputs), ...readTables(inputs), ...limitTables(inputs), ...costTables(inputs)],
    sentences: scaleSentences(inputs),
  },
  'docs/runbook.md': { tables: [millionTable(inputs)], sentences: runbookSentences(inputs) },
  'docs/slo.md': { tables: [], sentences: objectiveSentences(inputs) },
  'docs/decisions.md': { tables: [], sentences: decisionSentences(inputs) },
});
