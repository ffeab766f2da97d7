"""A client of Muster with nothing but Python's standard library (3.9 or later). Copy it into your project.

Run as a program, it creates an agent, runs a task, follows its events through broken connections, and answers its
question:

    MUSTER_URL=http://127.0.0.1:4400 MUSTER_API_KEY=mst_... python3 muster_example.py
"""

import http.client
import json
import os
import time
import urllib.error
import urllib.request
import uuid

PAUSES = [0.2, 0.4, 0.8, 1.5, 3, 5, 5, 5, 5]
FINAL = ("RUN_FINISHED", "RUN_ERROR")
# The service writes a comment every 15 s; a connection that is silent for longer is dead.
SILENCE_SECONDS = 45
BROKEN = (OSError, http.client.HTTPException)


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Makes a redirect an error: it would carry the key to another address."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirects)


class MusterError(Exception):
    """The service rejected a request; for wrong input, details says which field is wrong and why."""

    def __init__(self, status, body, headers):
        request_id = headers.get("X-Request-Id")
        error = body.get("error", "rejected")
        error = error if isinstance(error, dict) else {"message": error}
        super().__init__(f"{error.get('message')} (status {status}, request {request_id})")
        self.status = status
        self.code = error.get("code")
        self.details = error.get("details", [])
        self.request_id = request_id
        retry_after = headers.get("Retry-After", "")
        self.retry_after = int(retry_after) if retry_after.isdigit() else 0

    @property
    def is_transient(self):
        """Whether the same request may succeed later."""
        return self.status == 429 or self.status >= 500


class Muster:
    """A service and a key."""

    def __init__(self, url, key):
        self.url = url.rstrip("/")
        self.key = key

    def call(self, method, path, body=None, idempotency_key=None):
        """Sends a request and returns its response.

        A GET, PUT or POST is sent again after a network error or a 5xx, and any request above the rate limit after
        Retry-After, at most a minute later. A POST carries an Idempotency-Key, so that it is executed once: a random
        one, or yours, which also covers a restart of your program. Raises MusterError when the service rejects the
        request, and ConnectionError when it cannot be reached.
        """
        headers = {"X-API-Key": self.key, "Content-Type": "application/json"}
        return self._send(method, path, None if body is None else json.dumps(body).encode(), headers, idempotency_key)

    def upload(self, path, name, content, idempotency_key=None, **fields):
        """Posts a form with a file (bytes) and other fields, and returns the response. Sent again like a call."""
        boundary = uuid.uuid4().hex
        part = f'--{boundary}\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n'
        body = "".join(part % (field, "") + f"{value}\r\n" for field, value in fields.items()).encode()
        body += (part % ("file", f'; filename="{name}"')).encode() + content + f"\r\n--{boundary}--\r\n".encode()
        headers = {"X-API-Key": self.key, "Content-Type": f"multipart/form-data; boundary={boundary}"}
        return self._send("POST", path, body, headers, idempotency_key)

    def stream(self, agent_id, task_id, last_event_id=None):
        """Yields (id, event) of a task until its run ends; see stream_team_run."""
        return self._follow(f"/ag-ui/{agent_id}/sse", {"threadId": task_id}, last_event_id)

    def stream_team_run(self, run_id, last_event_id=None):
        """Yields (id, event) until the run ends; reconnects after the last event when the connection breaks."""
        return self._follow(f"/ag-ui/runs/{run_id}/sse", {}, last_event_id)

    def _send(self, method, path, data, headers, idempotency_key):
        if method == "POST":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        for pause in [*PAUSES[:4], None]:
            try:
                with self._open(method, path, data, headers, timeout=30) as response:
                    text = response.read()
                    return json.loads(text) if text else None
            except (MusterError, *BROKEN) as error:
                if pause is None or not may_retry(method, error):
                    raise named(error, self.url)
                time.sleep(pause_before(pause, error))

    def _follow(self, path, body, last_event_id):
        failures = 0
        while True:
            headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
            if last_event_id is not None:
                headers["Last-Event-ID"] = last_event_id
            try:
                with self._open("POST", path, json.dumps(body).encode(), headers, SILENCE_SECONDS) as response:
                    if response.status == 204:  # All events were seen.
                        return
                    for event_id, event in events_in(response):
                        failures = 0
                        if event is None:
                            continue
                        last_event_id = event_id
                        yield event_id, event
                        if event["type"] in FINAL:
                            return
                failure = None
            except (MusterError, *BROKEN) as error:
                if isinstance(error, MusterError) and not error.is_transient:
                    raise
                failure = error
            if failures == len(PAUSES):
                reason = "it ended before the run did" if failure is None else getattr(failure, "reason", failure)
                raise ConnectionError(f"The stream of {self.url} could not be continued: {reason}") from failure
            time.sleep(pause_before(PAUSES[failures], failure))
            failures += 1

    def _open(self, method, path, data, headers, timeout):
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method=method)
        try:
            return OPENER.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                text = error.read()
            try:
                parsed = json.loads(text)
            except ValueError:
                parsed = {}
            raise MusterError(error.code, parsed, error.headers) from None


def may_retry(method, error):
    """A request over the rate limit was not executed. Any other PATCH or DELETE may have been, and is not sent again."""
    if isinstance(error, MusterError) and error.status == 429:
        return True
    return method in ("GET", "PUT", "POST") and getattr(error, "is_transient", True)


def named(error, url):
    """Returns the error to raise: the service's own, or one that names the service that could not be reached."""
    if isinstance(error, MusterError):
        return error
    unreachable = ConnectionError(f"Cannot reach the service at {url}: {getattr(error, 'reason', error)}")
    unreachable.__cause__ = error
    return unreachable


def pause_before(pause, error):
    """Returns the seconds to wait before the next try, as the service asks for, but at most a minute."""
    return min(max(pause, getattr(error, "retry_after", 0)), 60)


def events_in(response):
    """Yields (id, event) of a response of server-sent events; event is None for a sign of life while nothing happens."""
    event_id = data = None
    for line in response:
        field, _, value = line.decode().rstrip("\r\n").partition(": ")
        if field == "id":
            event_id = value
        elif field == "data":
            data = value
        elif field == "" and value == "heartbeat":
            yield event_id, None
        elif field == "" and data is not None:
            yield event_id, json.loads(data)
            data = None


def main():
    muster = Muster(os.environ.get("MUSTER_URL", "http://127.0.0.1:4400"), os.environ["MUSTER_API_KEY"])
    agent = muster.call(
        "POST",
        "/functions/v1/api-agents",
        {"name": "Asker", "model": "demo", "tools": ["request_approval"]},
    )
    task = muster.call(
        "POST",
        "/functions/v1/api-tasks",
        {
            "title": "Ask me",
            "description": '[[tool:request_approval {"title":"Shall I?"}]]',
            "assigned_agent_id": agent["id"],
        },
    )
    for _, event in muster.stream(agent["id"], task["id"]):
        if event["type"] == "INTERACTION_REQUEST":
            print("question:", event["title"])
            answer = {"interactionId": event["interactionId"], "approved": True}
            muster.call("POST", f"/console/api/tasks/{task['id']}/answer", answer)
        if event["type"] in FINAL:
            print(event["type"])
    print(muster.call("GET", f"/functions/v1/api-tasks?id={task['id']}")["status"])


if __name__ == "__main__":
    main()
