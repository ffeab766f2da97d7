"""An example client of Muster with nothing but Python's standard library (3.9 or later).

Creates an agent, runs a task, follows its events through broken connections, and answers its question:

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


class MusterError(Exception):
    """The service rejected a request."""

    def __init__(self, status, body, request_id):
        error = body.get("error", "rejected")
        error = error if isinstance(error, dict) else {"message": error}
        super().__init__(f"{error.get('message')} (status {status}, request {request_id})")
        self.status = status
        self.code = error.get("code")
        self.request_id = request_id


class Muster:
    """A service and a key."""

    def __init__(self, url, key):
        self.url = url.rstrip("/")
        self.key = key

    def call(self, method, path, body=None):
        """Sends a request and gives its answer. A POST is sent again after a network fault, under one key."""
        headers = {"X-API-Key": self.key, "Content-Type": "application/json"}
        if method == "POST":
            headers["Idempotency-Key"] = str(uuid.uuid4())
        for pause in [*PAUSES[:4], None]:
            try:
                with self._open(method, path, body, headers, timeout=30) as response:
                    text = response.read()
                    return json.loads(text) if text else None
            except BROKEN:
                if pause is None or method not in ("GET", "POST"):
                    raise
                time.sleep(pause)

    def stream(self, agent_id, task_id, last_event_id=None):
        """Gives (id, event) until the run ends; connects again behind the last event when the connection breaks."""
        failures = 0
        while True:
            try:
                for last_event_id, event in self._events(agent_id, task_id, last_event_id):
                    failures = 0
                    yield last_event_id, event
                    if event["type"] in FINAL:
                        return
            except MusterError as error:
                if error.status != 429 and error.status < 500:
                    raise
            except BROKEN:
                pass
            if failures == len(PAUSES):
                raise ConnectionError("The stream could not be continued.")
            time.sleep(PAUSES[failures])
            failures += 1

    def _events(self, agent_id, task_id, last_event_id):
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        if last_event_id is not None:
            headers["Last-Event-ID"] = last_event_id
        path = f"/ag-ui/{agent_id}/sse"
        with self._open("POST", path, {"threadId": task_id}, headers, timeout=SILENCE_SECONDS) as response:
            event_id = data = None
            for line in response:
                field, _, value = line.decode().rstrip("\r\n").partition(": ")
                if field == "id":
                    event_id = value
                elif field == "data":
                    data = value
                elif field == "" and data is not None:
                    yield event_id, json.loads(data)
                    data = None

    def _open(self, method, path, body, headers, timeout):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                text = error.read()
            try:
                parsed = json.loads(text)
            except ValueError:
                parsed = {}
            raise MusterError(error.code, parsed, error.headers.get("X-Request-Id")) from None


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
