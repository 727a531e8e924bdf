import { UserError } from '../terminal/user-error.ts';

/** What CloudFormation says about the stack of a stage. */
export interface DeployedStack {
  readonly id: string;
  /** @throws {UserError} when the stack was deployed without this output */
  readonly output: (name: 'Issuer' | 'TableName') => string;
}

/** @throws {UserError} when the stack does not exist */
export const deployedStack = async (stage: string): Promise<DeployedStack> => {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const stackName = `PlantStore-${stage}`;
  const client = new CloudFormationClient();
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const id = stack?.StackId;
    if (id === undefined) throw notDeployed(stackName);
    return {
      id,
      output: (name) => {
        const value = stack?.Outputs?.find(({ OutputKey: key }) => key === name)?.OutputValue;
        if (value !== undefined) return value;
        throw new UserError(`The stack ${stackName} has no output ${name}. Deploy it again.`);
      },
    };
  } catch (error) {
    throw error instanceof Error && error.name === 'ValidationError' ? notDeployed(stackName) : error;
  } finally {
    client.destroy();
  }
};

const notDeployed = (stackName: string): UserError =>
  new UserError(
    `There is no stack ${stackName} in this account and Region. Deploy it, or pass another --stage, account or AWS_REGION.`,
  );
