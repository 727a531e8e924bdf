"""Lists the plants of the user whose token TOKEN_COMMAND prints, one JSON object per line."""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import requests

BASE_URL = os.environ.get("BASE_URL", "http://127.0.0.1:3000").rstrip("/")
PAGE_SIZE = 1000
MAX_ATTEMPTS = 5


def new_token() -> str:
    command = os.environ.get("TOKEN_COMMAND")
    if not command:
        sys.exit("Set TOKEN_COMMAND to a command that prints an access token.")
    result = subprocess.run(command, shell=True, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit("TOKEN_COMMAND failed.")
    token = result.stdout.strip()
    # `requests` would refuse such a header with a message that has the token.
    if len(token.split()) != 1:
        sys.exit("TOKEN_COMMAND must print a token alone, as npm run -s does.")
    return token


class BearerAuth(requests.auth.AuthBase):
    """Sends a token. In `headers`, a login in the user's .netrc would replace it."""

    def __init__(self, token: str) -> None:
        self.token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self.token}"
        return request


def list_plants() -> Iterator[dict[str, object]]:
    """Lists all plants that the token's user has access to."""
    token = new_token()
    url: str | None = f"{BASE_URL}/plants?limit={PAGE_SIZE}"
    listed: set[str] = set()
    attempt, has_new_token = 1, False
    while url is not None:
        status, value, message, headers = 0, None, "", {}
        try:
            response = requests.get(url, auth=BearerAuth(token), timeout=30)
            headers = response.headers
            body = response.json()
            if response.status_code == 200 and isinstance(body, list):
                yield from body
                listed.add(url)
                url = next_page(response)
                if url in listed:
                    sys.exit("The Link header leads to a list page that was read before.")
                attempt, has_new_token = 1, False
                continue
            status, error = response.status_code, body if isinstance(body, dict) else {}
            value, message = error.get("error"), error.get("message")
        except requests.RequestException as error:  # no response, or one that is not JSON
            message = str(error)
        # 1004: the token expired after the gateway had accepted it.
        if (status == 403 or value == 1004) and not has_new_token:
            token, has_new_token = new_token(), True
            continue
        can_retry = status in (0, 429) or status >= 500 or (value or 0) >= 2000
        if not can_retry or attempt == MAX_ATTEMPTS:
            report = {"attempts": attempt, "status": status, "error": value, "message": message}
            # The operators find the request by this id.
            report["apigw-requestid"] = headers.get("apigw-requestid")
            sys.exit(f"Gave up: {json.dumps(report)}")
        # Full jitter, so that callers that failed at the same time do not retry at the same time.
        backoff = random.uniform(0, 0.2 * 2**attempt)
        retry_after = headers.get("Retry-After", "0")
        time.sleep(backoff + (int(retry_after) if retry_after.isdecimal() else 0))
        attempt += 1


def next_page(response: requests.Response) -> str | None:
    """Returns the URL of the next list page (RFC 8288); None after the last one."""
    if "next" not in response.links:
        return None
    url = urljoin(response.url, response.links["next"]["url"])
    here, there = urlsplit(BASE_URL), urlsplit(url)
    if (there.scheme, there.netloc) != (here.scheme, here.netloc):
        sys.exit(f"The Link header leads to another origin: {there.scheme}://{there.netloc}.")
    return url


if __name__ == "__main__":
    # JSON is in UTF-8 (RFC 8259 section 8.1), whatever the locale.
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        for plant in list_plants():
            print(json.dumps(plant, ensure_ascii=False), flush=True)
    except BrokenPipeError:
        # The reader closed the pipe, as `head` does. Exit with 0, or `pipefail` would fail the pipeline.
        # Python flushes its buffer at exit, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
