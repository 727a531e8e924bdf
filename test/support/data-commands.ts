import { readDocument, shellBlocks } from './markdown.ts';

/** A block of commands in a document, or a command within a sentence, that reads or changes plants or logs. */
export interface DataCommand {
  readonly document: string;
  readonly script: string;
}

const touchesData = /\baws (?:dynamodb|logs) (?!wait\b)|\bplants -- (?:import|list|grant|revoke) ./;

/** The documents' commands that touch data. */
export const dataCommandsIn = (documents: readonly string[]): readonly DataCommand[] =>
  documents.flatMap((document) => {
    const text = readDocument(document);
    const inSentences = text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`((?:aws|npm run) [^`]+)`/g);
    return [...shellBlocks(text), ...[...inSentences].map(([, command = '']) => command)]
      .filter((script) => touchesData.test(script))
      .map((script) => ({ document, script }));
  });
