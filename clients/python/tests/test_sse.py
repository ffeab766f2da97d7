import unittest

from muster_client._sse import SseEvent, SseParser

TEXT = b": hello\r\n\r\nid: 1\r\ndata: a\r\ndata:b\r\n\r\nid: 2\ndata: \xc3\xa9\n\nid\rdata: c\r\rdata: unfinished\n"
EVENTS = [SseEvent("1", "a\nb"), SseEvent("2", "é"), SseEvent("", "c")]


class Parser(unittest.TestCase):
    def test_chunks_of_any_size_give_the_same_events(self) -> None:
        for size in range(1, len(TEXT) + 1):
            parser = SseParser()
            chunks = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
            self.assertEqual([event for chunk in chunks for event in parser.feed(chunk)], EVENTS, size)
