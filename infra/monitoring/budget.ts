import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';

/** Mails the operators when the account has cost 80 % of a month's budget, and when it will exceed it. */
export const monthlyBudget = (scope: Construct, dollars: number, emails: readonly string[]): CfnBudget => {
  const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold },
    subscribers: emails.map((address) => ({ subscriptionType: 'EMAIL', address })),
  });
  return new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: dollars, unit: 'USD' },
    },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  });
};
