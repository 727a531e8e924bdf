// The suite `aws` proves in an account of AWS what the suite `deployed` proves on an emulator, by the same
// steps: npm run test:suites -- aws. test/suites/deployed/on-aws.ts asks, deploys the stage and deletes it.
import { describeDeployment } from './deployed/describe-deployment.ts';
import { passedAccount } from './deployed/account.ts';
import { passedStage } from './deployed/deployment.ts';

const account = passedAccount();

describeDeployment(account, () => Promise.resolve(passedStage()));
