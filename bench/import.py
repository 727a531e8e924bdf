"""Loads a CSV file with boto3's batch_writer, the usual way in Python. Usage: import.py FILE PRINCIPAL TABLE ENDPOINT"""

import csv
import sys

import boto3

file, principal, table_name, endpoint = sys.argv[1:]
dynamodb = boto3.resource(
    "dynamodb",
    endpoint_url=endpoint,
    region_name="us-east-1",
    aws_access_key_id="local",
    aws_secret_access_key="local",
)

with open(file, newline="", encoding="utf-8") as rows, dynamodb.Table(table_name).batch_writer() as batch:
    for row in csv.DictReader(rows):
        item = {"principal": principal, "sortKey": f"{row['name']}\0{row['id']}", "name": row["name"]}
        if row["tag"]:
            item["tag"] = row["tag"]
        batch.put_item(Item=item)
