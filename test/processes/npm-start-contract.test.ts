import { npmStart } from '../support/npm-start.ts';
import { describeContract } from '../contract/contract.ts';

describeContract('npm start', () => npmStart());
