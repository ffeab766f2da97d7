import unittest

from muster_client import Muster

from .both import KINDS, failure, using
from .scripted_server import answering

SECRET = "mst_secret"
WRONG = {
    "error": {"code": "bad_request", "message": "No.", "details": [{"path": "title", "message": "must not be empty"}]}
}
LATER = {"error": {"code": "unavailable", "message": "Later."}}
LIMITED = (429, {"error": {"code": "rate_limit_exceeded", "message": "Wait."}}, {"Retry-After": "1"})


class Retries(unittest.TestCase):
    def test_a_post_is_sent_again_under_one_key_after_429_and_503(self) -> None:
        for kind in KINDS:
            with self.subTest(kind), answering(LIMITED, (503, LATER, {}), (201, {"id": "1"}, {})) as service:
                made = using(kind, lambda muster: muster.create_task({"title": "x"}), service.url, SECRET)
                self.assertEqual(made, {"id": "1"})
                keys = service.headers("idempotency-key")
                self.assertEqual([len(keys), len(set(keys)), None in keys], [3, 1, False])

    def test_two_calls_have_two_keys_and_a_given_key_is_used(self) -> None:
        for kind in KINDS:
            with self.subTest(kind), answering((201, {"id": "1"}, {})) as service:
                for key in (None, None, "order-1"):
                    using(
                        kind,
                        lambda muster, key=key: muster.create_task({"title": "x"}, idempotency_key=key),
                        service.url,
                        SECRET,
                    )
                first, second, third = service.headers("idempotency-key")
                self.assertNotEqual(first, second)
                self.assertEqual(third, "order-1")

    def test_wrong_input_is_not_sent_again_and_names_its_fields(self) -> None:
        for kind in KINDS:
            with self.subTest(kind), answering((400, WRONG, {"X-Request-Id": "req_1"})) as service:
                error = failure(kind, lambda muster: muster.create_task({"title": ""}), service.url, SECRET)
                self.assertEqual((error.status, error.code, error.request_id), (400, "bad_request", "req_1"))
                self.assertEqual(error.details[0]["path"], "title")
                self.assertEqual(len(service.requests), 1)

    def test_a_patch_is_sent_again_after_429_but_not_after_503(self) -> None:
        for kind in KINDS:
            with self.subTest(kind), answering(LIMITED, (503, LATER, {})) as service:
                error = failure(kind, lambda muster: muster.update_task("1", {"title": "x"}), service.url, SECRET)
                self.assertEqual(error.status, 503)
                self.assertEqual([method for method, _, _ in service.requests], ["PATCH", "PATCH"])

    def test_retries_end(self) -> None:
        for kind in KINDS:
            with self.subTest(kind), answering((503, LATER, {})) as service:
                error = failure(kind, lambda muster: muster.get_task("1"), service.url, SECRET, retries=1)
                self.assertEqual((error.code, len(service.requests)), ("unavailable", 2))

    def test_a_redirect_is_an_error_and_its_target_gets_no_key(self) -> None:
        for kind in KINDS:
            with self.subTest(kind), answering((200, {}, {})) as target:
                with answering((302, {}, {"Location": target.url})) as service:
                    error = failure(kind, lambda muster: muster.get_task("1"), service.url, SECRET)
                    self.assertEqual((error.status, target.requests), (302, []))

    def test_a_service_that_is_away_is_named_without_the_key(self) -> None:
        for kind in KINDS:
            with self.subTest(kind):
                error = failure(kind, lambda muster: muster.delete_agent("1"), "http://127.0.0.1:1", SECRET)
                self.assertEqual(error.code, "network_error")
                self.assertRegex(str(error), r"^Cannot reach the service at http://127\.0\.0\.1:1: ")
                self.assertNotIn(SECRET, repr(error) + repr(error.__cause__))

    def test_a_response_that_is_not_json_and_a_slow_one_are_errors(self) -> None:
        for kind in KINDS:
            with self.subTest(kind), answering((200, b"<html>", {})) as service:
                error = failure(kind, lambda muster: muster.get_task("1"), service.url, SECRET)
                self.assertEqual(error.code, "invalid_response")
            with self.subTest(kind), answering((200, b"{", {"Content-Length": "2"})) as service:
                error = failure(kind, lambda muster: muster.get_task("1"), service.url, SECRET, timeout=0.2, retries=0)
                self.assertIn(error.code, ("timeout", "network_error"))

    def test_warnings_are_reported(self) -> None:
        seen: list[str] = []
        with answering((201, {"id": "1"}, {"X-Warning": "a second agent"})) as service:
            using("sync", lambda muster: muster.create_agent({}), service.url, SECRET, on_warning=seen.append)
        self.assertEqual(seen, ["a second agent"])

    def test_wrong_options_are_rejected_without_the_key(self) -> None:
        for url, key in (("127.0.0.1:4400", SECRET), ("http://127.0.0.1", "mst_ключ"), ("http://127.0.0.1", " ")):
            with self.subTest(url), self.assertRaises(ValueError) as raised:
                Muster(url, key)
            self.assertNotIn(key.strip() or SECRET, str(raised.exception))
