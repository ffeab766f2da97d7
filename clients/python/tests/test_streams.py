import asyncio
import unittest
from typing import Any

from muster_client import AsyncMuster, Muster

from .both import KEY, KINDS, URL, failure, using
from .cutting_relay import cutting

WORDS = " ".join(str(number) for number in range(200))


def start(muster: Muster, title: str = "Report", description: str = f"[[slow:5]] {WORDS}") -> tuple[str, str]:
    agent = muster.create_agent({"name": "Streamed", "model": "demo", "tools": ["request_approval"]})
    task = muster.create_task({"title": title, "description": description, "assigned_agent_id": agent["id"]})
    return agent["id"], task["id"]


class Streams(unittest.TestCase):
    def setUp(self) -> None:
        self.muster = Muster(URL, KEY)
        self.addCleanup(self.muster.close)

    def test_a_stream_that_is_cut_repeatedly_gives_every_event_once(self) -> None:
        for kind in KINDS:
            agent, task = start(self.muster)
            failures: list[str] = []
            with self.subTest(kind), cutting(URL, cuts=3, after=500) as relay:
                seen = using(
                    kind,
                    lambda muster: muster.stream_task(
                        agent, task, on_reconnect=lambda error: failures.append(error.code)
                    ),
                    relay.url,
                )
                whole = list(self.muster.stream_task(agent, task))
                self.assertGreater(relay.cuts, 0)
                self.assertEqual(seen, whole)
                self.assertEqual(seen[-1].event["type"], "RUN_FINISHED")
                self.assertEqual(len({id for id, _ in seen}), len(seen))
                self.assertEqual(set(failures), {"network_error"})

    def test_a_stream_continues_after_an_event_and_a_run_that_was_seen_ends(self) -> None:
        agent, task = start(self.muster)
        whole = list(self.muster.stream_task(agent, task))
        for kind in KINDS:
            with self.subTest(kind):
                after = whole[2].id
                rest = using(kind, lambda muster: muster.stream_task(agent, task, last_event_id=after))
                self.assertEqual(rest, whole[3:])
                last = whole[-1].id
                self.assertEqual(using(kind, lambda muster: muster.stream_task(agent, task, last_event_id=last)), [])

    def test_a_question_is_answered_while_the_stream_is_read(self) -> None:
        agent, task = start(self.muster, description='[[tool:request_approval {"title":"Publish it?"}]]')
        answers: list[Any] = []
        for _, event in self.muster.stream_task(agent, task):
            if event["type"] == "INTERACTION_REQUEST":
                self.assertEqual(event["title"], "Publish it?")
                self.muster.answer_task(task, {"interactionId": event["interactionId"], "approved": True})
            if event["type"] == "INTERACTION_RESPONSE":
                answers.append(event["answer"])
        self.assertEqual(answers, [{"approved": True}])

    def test_a_stream_of_an_unknown_task_or_with_a_wrong_key_is_rejected_once(self) -> None:
        agent, _ = start(self.muster)
        for kind in KINDS:
            with self.subTest(kind):
                error = failure(kind, lambda muster: muster.stream_task("00000000-0000-4000-8000-000000000000", "x"))
                self.assertEqual(error.status, 404)
                error = failure(kind, lambda muster: muster.stream_task(agent, "x"), key="mst_wrong")
                self.assertEqual(error.status, 401)

    def test_a_team_run_is_streamed_and_stopped(self) -> None:
        agent, _ = start(self.muster)
        team = self.muster.create_team(
            {"name": "Slow", "mode": "pipeline", "config": {"steps": [{"agent_id": agent, "step_name": "Write"}]}}
        )
        for kind in KINDS:
            with self.subTest(kind):
                run = self.muster.start_team_run({"team_id": team["id"], "input_task": f"[[slow:500]] {WORDS}"})
                types = []
                for _, event in self.muster.stream_team_run(run["id"]):
                    types.append(event["type"])
                    if event["type"] == "STEP_STARTED":
                        using(kind, lambda muster: muster.update_team_run(run["id"], {"status": "cancelled"}))
                self.assertEqual(types[-1], "RUN_ERROR")
                ended = using(kind, lambda muster: muster.wait_for_team_run(run["id"]))
                self.assertEqual(ended["status"], "cancelled")

    def test_a_stream_token_follows_its_run(self) -> None:
        agent, task = start(self.muster)
        token = self.muster.create_run_stream_token(task)
        for kind in KINDS:
            with self.subTest(kind):
                events = using(kind, lambda muster: muster.stream_task(agent, task), key=token["token"])
                self.assertEqual(events[-1].event["type"], "RUN_FINISHED")
                error = failure(kind, lambda muster: muster.list_tasks(), key=token["token"])
                self.assertEqual(error.status, 401)

    def test_a_stream_that_is_left_early_is_closed(self) -> None:
        agent, task = start(self.muster, description=f"[[slow:500]] {WORDS}")
        events = self.muster.stream_task(agent, task)
        self.assertEqual(next(events).event["type"], "RUN_STARTED")
        events.close()

        async def leave() -> None:
            async with AsyncMuster(URL, KEY) as muster:
                events = muster.stream_task(agent, task)
                self.assertEqual((await anext(events)).event["type"], "RUN_STARTED")
                await events.aclose()

        asyncio.run(leave())
        self.muster.update_task(task, {"status": "cancelled"})
        self.assertEqual(self.muster.wait_for_task(task)["status"], "cancelled")
