import { npmStart } from '../support/npm-start.ts';
import { describeContract } from './contract.ts';

describeContract('npm start', () => npmStart());
