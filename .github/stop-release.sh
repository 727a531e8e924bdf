#!/usr/bin/env bash
# Stops a release of PlantStore-$STAGE that runs, or whose rollback failed, and waits until the stack can be changed.
set -euo pipefail

stack=PlantStore-$STAGE
physical() {
  aws cloudformation describe-stack-resources --stack-name "$stack" --output text \
    --query "StackResources[?ResourceType=='$1'].PhysicalResourceId"
}

application=$(physical AWS::CodeDeploy::Application)
groups=$(physical AWS::CodeDeploy::DeploymentGroup)
for group in $groups; do
  # Otherwise CodeDeploy would shift back by canary, or not at all while an alarm is on.
  aws deploy update-deployment-group --application-name "$application" --current-deployment-group-name "$group" \
    --deployment-config-name CodeDeployDefault.LambdaAllAtOnce --alarm-configuration enabled=false
done
continued=
while status=$(aws cloudformation describe-stacks --stack-name "$stack" --query 'Stacks[0].StackStatus' --output text); do
  echo "$stack: $status"
  if [[ $status == UPDATE_IN_PROGRESS ]]; then
    for group in $groups; do
      for id in $(aws deploy list-deployments --application-name "$application" --deployment-group-name "$group" \
        --include-only-statuses Created Queued InProgress Ready --query 'deployments[]' --output text); do
        aws deploy stop-deployment --deployment-id "$id" --auto-rollback-enabled
      done
    done
  elif [[ $status == UPDATE_ROLLBACK_FAILED && -z $continued ]]; then
    aws cloudformation continue-update-rollback --stack-name "$stack"
    continued=true
  elif [[ $status != *_IN_PROGRESS ]]; then
    break
  fi
  sleep 10
done
if [[ $status != *_COMPLETE ]]; then
  echo "::error::$stack is $status: docs/runbook.md#roll-back has the steps."
  exit 1
fi
