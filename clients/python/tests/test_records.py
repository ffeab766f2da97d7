import inspect
import json
import os
import re
import unittest
from pathlib import Path
from uuid import uuid4

import httpx

from muster_client import AsyncMuster, Muster, webhooks

from .both import KEY, KINDS, URL, failure, using

TABLE_KEY = os.environ.get("MUSTER_TABLE_KEY", "")
LEFT_OUT = ("/rest/v1/", "/ag-ui/", "/console/api/live", "/oauth/google/callback")


def methods(kind: type) -> dict[str, list[str]]:
    return {
        name: list(inspect.signature(method).parameters)
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }


class Operations(unittest.TestCase):
    def test_each_operation_of_the_document_is_a_method_of_both_clients(self) -> None:
        document = json.loads((Path(__file__).parents[3] / "openapi.json").read_text())
        names = [
            re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", operation["operationId"]).lower()
            for path, operations in document["paths"].items()
            if not path.startswith(LEFT_OUT)
            for operation in operations.values()
        ]
        self.assertGreater(len(names), 200)
        self.assertEqual([name for name in names if name not in methods(Muster)], [])
        self.assertEqual(methods(Muster), methods(AsyncMuster))

    def test_records_are_created_read_changed_and_deleted(self) -> None:
        for kind in KINDS:
            with self.subTest(kind):
                agent = using(kind, lambda muster: muster.create_agent({"name": "Typed", "model": "demo"}))
                self.assertEqual(using(kind, lambda muster: muster.get_agent(agent["id"])), agent)
                changed = using(kind, lambda muster: muster.update_agent(agent["id"], {"system_prompt": "x"}))
                self.assertEqual(changed["version"], 2)
                self.assertIsNone(using(kind, lambda muster: muster.delete_agent(agent["id"])))
                gone = failure(kind, lambda muster: muster.get_agent(agent["id"]))
                self.assertEqual((gone.status, gone.code), (404, "not_found"))
                self.assertRegex(gone.request_id or "", r"^req_")
                wrong = failure(kind, lambda muster: muster.create_agent({"name": "", "model": "demo"}))
                self.assertEqual((wrong.code, wrong.details[0]["path"]), ("bad_request", "name"))

    def test_a_page_leads_to_all_following_pages(self) -> None:
        for kind in KINDS:
            with self.subTest(kind):
                made = [f"{uuid4()} {number}" for number in range(3)]
                for name in made:
                    using(kind, lambda muster, name=name: muster.create_voice_profile({"name": name}))
                profiles = using(kind, lambda muster: muster.list_voice_profiles(limit=2))
                self.assertEqual([each["name"] for each in profiles][:3], made[::-1])
                self.assertEqual(len(profiles), len({each["id"] for each in profiles}))

    def test_rows_of_a_table_are_read_in_pages(self) -> None:
        for kind in KINDS:
            with self.subTest(kind), Muster(URL, KEY) as muster:
                name = str(uuid4())
                titles = [f"{name} {number}" for number in range(7)]
                for title in titles:
                    muster.create_task({"title": title})
                query = {"select": "id,title", "title": f"like.{name}*"}
                rows = using(kind, lambda table: table.select_rows("tasks", query, limit=3), key=TABLE_KEY)
                self.assertEqual([row["title"] for row in rows], titles)
                error = failure(kind, lambda table: table.select_rows("nothing"), key=TABLE_KEY)
                self.assertEqual((error.status, error.code), (404, "PGRST205"))
                with self.assertRaisesRegex(ValueError, "leave out order"):
                    using(kind, lambda table: table.select_rows("tasks", {"order": "title"}), key=TABLE_KEY)

    def test_a_file_is_uploaded_attached_and_downloaded(self) -> None:
        for kind in KINDS:
            with self.subTest(kind):
                given = {"file": ("report.csv", b"region,revenue\nnorth,12\n")}
                file = using(kind, lambda muster: muster.upload_file(given))
                self.assertEqual(httpx.get(file["url"]).content, given["file"][1])
                body = {"title": "Sum up", "attachments": [file["id"]]}
                task = using(kind, lambda muster: muster.create_task(body))
                listed = using(kind, lambda muster: muster.list_files(task_id=task["id"]))
                self.assertEqual([each["name"] for each in listed], ["report.csv"])

    def test_a_wait_ends_with_the_run_or_in_time(self) -> None:
        for kind in KINDS:
            with self.subTest(kind), Muster(URL, KEY) as muster:
                agent = muster.create_agent({"name": "Waited for", "model": "demo"})
                task = muster.create_task({"title": "Say hello", "assigned_agent_id": agent["id"]})
                ended = using(kind, lambda muster: muster.wait_for_task(task["id"], timeout=60))
                self.assertEqual(ended["status"], "completed")
                idle = muster.create_task({"title": "Nobody's"})
                error = failure(kind, lambda muster: muster.wait_for_task(idle["id"], timeout=0.3))
                self.assertEqual((error.code, error.message), ("timeout", "The run has not ended in time: it is pending."))


class Signatures(unittest.TestCase):
    def test_only_the_bytes_that_were_signed_are_valid(self) -> None:
        # printf '{"event":"x"}' | openssl dgst -sha256 -hmac secret
        signature = "sha256=6147d659a4d0af1524442a3462a24f61e73c58494803b17e072ddfbc76bb7356"
        self.assertTrue(webhooks.is_signed(b'{"event":"x"}', signature, "secret"))
        self.assertFalse(webhooks.is_signed(b'{"event": "x"}', signature, "secret"))
        self.assertFalse(webhooks.is_signed(b'{"event":"x"}', signature, "other"))
        self.assertFalse(webhooks.is_signed(b'{"event":"x"}', None, "secret"))
        self.assertFalse(webhooks.is_signed(b'{"event":"x"}', "sha256=é", "secret"))
