"""Lists plants with the generated client, and prints list pages or a failure as JSON."""

import json
import os
import re
import sys
from urllib.parse import parse_qs, urlsplit

from plant_store_service_client import AuthenticatedClient, Client
from plant_store_service_client.api.plants import list_plants
from plant_store_service_client.models import Error, GatewayError
from plant_store_service_client.types import UNSET

base_url, token = os.environ["BASE_URL"], os.environ.get("TOKEN")
client = AuthenticatedClient(base_url=base_url, token=token) if token else Client(base_url=base_url)
limit = int(sys.argv[1]) if len(sys.argv) > 1 else UNSET
cursor = UNSET
pages = []
while True:
    response = list_plants.sync_detailed(client=client, limit=limit, cursor=cursor)
    match response.parsed:
        case Error(error=error, message=message):
            print(json.dumps({"status": response.status_code, "error": error, "message": message}))
            break
        case GatewayError(message=message):
            print(json.dumps({"status": response.status_code, "message": message}))
            break
        case plants:
            pages.append([plant.to_dict() for plant in plants])
    link = re.search('<([^>]*)>; rel="next"', response.headers.get("link", ""))
    if link is None:
        print(json.dumps({"pages": pages}))
        break
    cursor = parse_qs(urlsplit(link[1]).query)["cursor"][0]
