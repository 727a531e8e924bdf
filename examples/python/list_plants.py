"""Lists the plants of the user whose token TOKEN_COMMAND prints, one JSON object per line."""

import json
import os
import random
import re
import subprocess
import sys
import threading
import time
import unicodedata
from collections.abc import Iterator
from concurrent.futures import Future, TimeoutError
from typing import NoReturn
from urllib.parse import urljoin

import requests

BASE_URL = os.environ.get("BASE_URL", "http://127.0.0.1:3000").rstrip("/")
PAGE_SIZE = 1000
MAX_ATTEMPTS = 5
# Seconds for a whole response.
DEADLINE = 30
# The longest Retry-After, in seconds, after which the request is sent again.
MAX_RETRY_AFTER = 60
# Some firewalls refuse a request without a User-Agent.
USER_AGENT = "plant-store-example-python/1.0"


def new_token() -> str:
    command = os.environ.get("TOKEN_COMMAND")
    if not command:
        give_up("Set TOKEN_COMMAND to a command that prints an access token.")
    result = subprocess.run(command, shell=True, stdout=subprocess.PIPE)
    if result.returncode != 0:
        give_up("TOKEN_COMMAND failed.")
    token = result.stdout.decode("utf-8", "replace").strip()
    # With other characters in the header, `requests` would fail with a message that contains the token.
    if not re.fullmatch("[!-~]+", token):
        give_up("TOKEN_COMMAND must print a token alone, as npm run -s does.")
    return token


class BearerAuth(requests.auth.AuthBase):
    """Sends a token. If it were in `headers`, a login in the user's .netrc would replace it."""

    def __init__(self, token: str) -> None:
        self.token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self.token}"
        return request


def list_plants() -> Iterator[dict[str, object]]:
    """Lists all plants that the token's user has access to."""
    try:
        url: str | None = normalized(f"{BASE_URL}/plants?limit={PAGE_SIZE}")
    except ValueError:
        give_up("BASE_URL must be a URL.")
    token = new_token()
    listed: set[str] = set()
    attempt, has_new_token = 1, False
    while url is not None:
        status, headers, text = get(url, token)
        body = parse_json(text)
        if status == 200 and is_plants(body):
            yield from body
            listed.add(url)
            url = next_page(headers.get("Link", ""), url)
            if url in listed:
                give_up("The Link header leads to a list page that was read before.")
            attempt, has_new_token = 1, False
            continue
        error_value = error_value_of(body)
        if is_token_refused(status, error_value) and not has_new_token:
            token, has_new_token = new_token(), True
            continue
        seconds = retry_after_seconds(headers)
        if (
            not can_retry(status, error_value)
            or attempt == MAX_ATTEMPTS
            or seconds > MAX_RETRY_AFTER
        ):
            message = body.get("message") if isinstance(body, dict) else None
            report = {
                "attempts": attempt,
                "status": status,
                "error": error_value,
                "message": message if isinstance(message, str) else text[:1000],
                "retry-after": headers.get("Retry-After"),
                # The operators find the request by this id.
                "apigw-requestid": headers.get("apigw-requestid"),
            }
            known = {name: value for name, value in report.items() if value is not None}
            give_up(f"Gave up: {json.dumps(known, ensure_ascii=False)}")
        # Full jitter, so that callers that failed at the same time do not retry at the same time.
        backoff = random.uniform(0, 0.2 * 2**attempt)
        time.sleep(backoff + seconds)
        attempt += 1


def error_value_of(body: object) -> int | float | None:
    """Returns the field `error` of an error response; None for any other body."""
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, (int, float)) and not isinstance(error, bool) else None


def is_token_refused(status: int, error_value: int | float | None) -> bool:
    """Whether a new token can help. 1004: the token expired after the gateway had accepted it."""
    return status == 403 or error_value == 1004


def can_retry(status: int, error_value: int | float | None) -> bool:
    return status in (0, 429) or status >= 500 or (error_value or 0) >= 2000


def retry_after_seconds(headers: requests.structures.CaseInsensitiveDict) -> float:
    """Returns the seconds of Retry-After. The service sends whole seconds, so other values count as 0."""
    retry_after = headers.get("Retry-After", "")
    return float(retry_after) if re.fullmatch("[0-9]+", retry_after) else 0


def get(url: str, token: str) -> tuple[int, requests.structures.CaseInsensitiveDict, str]:
    """Sends a request, and returns status, headers and text. Without a response, the status is 0."""
    arriving: Future[requests.Response] = Future()

    def send() -> None:
        try:
            response = requests.get(
                url,
                auth=BearerAuth(token),
                headers={"User-Agent": USER_AGENT},
                timeout=DEADLINE,
                # The service sends no redirects, and another origin must not get the token.
                allow_redirects=False,
            )
            arriving.set_result(response)
        except Exception as error:
            arriving.set_exception(error)

    # The timeout of `requests` is for each read of a connection, so a slow response could take hours.
    threading.Thread(target=send, daemon=True).start()
    try:
        response = arriving.result(DEADLINE)
    # `requests` raises a ValueError if the header Location has an invalid URL.
    except (requests.RequestException, TimeoutError, ValueError) as error:
        return 0, requests.structures.CaseInsensitiveDict(), f"{type(error).__name__}: {error}"
    return response.status_code, response.headers, response.content.decode("utf-8-sig", "replace")


def parse_json(text: str) -> object:
    """Returns None for a text that is not JSON, such as the page of a proxy."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def is_plants(body: object) -> bool:
    return isinstance(body, list) and all(
        isinstance(plant, dict) and isinstance(plant.get("name"), str) for plant in body
    )


def next_page(link: str, url: str) -> str | None:
    """Returns the URL of the next list page (RFC 8288); None after the last one."""
    target = re.search(r'<([^>]*)>\s*;[^,]*?\brel="?next"?\s*(?:[;,]|$)', link, re.IGNORECASE)
    if target is None:
        return None
    try:
        following = normalized(urljoin(url, target[1]))
    except ValueError:
        give_up("The Link header has no valid URL.")
    # A URL with a user name does not begin with the origin.
    if not following.startswith(f"{origin(url)}/"):
        give_up(f"The Link header leads to another origin: {origin(following)}.")
    return following


def normalized(url: str) -> str:
    """Returns the URL that `requests` uses. Raises a ValueError for one that is not valid."""
    return requests.Request("GET", url).prepare().url


def origin(url: str) -> str:
    return "/".join(url.split("/")[:3])


def escaped(text: str) -> str:
    """Escapes, as JSON does, characters that control a terminal or hide in it, such as U+009B and U+202E."""
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return "".join(
        json.dumps(character)[1:-1] if unicodedata.category(character) in hidden else character
        for character in text
    )


def give_up(message: str) -> NoReturn:
    sys.exit(escaped(message))


if __name__ == "__main__":
    # JSON is in UTF-8 (RFC 8259 section 8.1), whatever the locale.
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        for plant in list_plants():
            print(escaped(json.dumps(plant, ensure_ascii=False)), flush=True)
    except OSError as error:
        # Python flushes its buffer at exit, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # The reader closed the pipe, as `head` does. Exit with 0, or `pipefail` would fail the pipeline.
        if not isinstance(error, BrokenPipeError):
            give_up(str(error))
