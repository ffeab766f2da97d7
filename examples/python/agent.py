"""Talks to an agent of Muster by OpenAI's official client: a chat, a stream, a function of ours, a response.

    MUSTER_URL=http://127.0.0.1:8787 MUSTER_API_KEY=mst_... python agent.py "Writer" "What is the weather in Bern?"
"""

import json
import os
import sys

from openai import OpenAI

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "The weather of a city.",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
            },
        },
    }
]


def get_weather(city: str) -> str:
    return f"sunny in {city}"


def chat(client: OpenAI, model: str, question: str) -> str:
    """Asks a question, and runs the function as often as the agent calls it."""
    messages = [{"role": "user", "content": question}]
    while True:
        choice = client.chat.completions.create(model=model, messages=messages, tools=TOOLS).choices[0]
        if choice.finish_reason != "tool_calls":
            return choice.message.content
        messages.append(choice.message.model_dump(exclude_none=True))
        for call in choice.message.tool_calls:
            result = get_weather(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def stream(client: OpenAI, model: str, question: str) -> str:
    """Gives the answer as it is written."""
    chunks = client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": question}], stream=True
    )
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def respond(client: OpenAI, model: str, question: str) -> str:
    """Asks by the Responses API, and once more in the same conversation."""
    first = client.responses.create(model=model, input=question)
    second = client.responses.create(model=model, input="And once more?", previous_response_id=first.id)
    return client.responses.retrieve(second.id).output_text


def main() -> None:
    model, question = sys.argv[1:3]
    client = OpenAI(base_url=f"{os.environ['MUSTER_URL']}/v1", api_key=os.environ["MUSTER_API_KEY"])
    print("models:", ", ".join(sorted(each.id for each in client.models.list())))
    print("chat:", chat(client, model, question))
    print("stream:", stream(client, model, "Hello"))
    print("responses:", respond(client, model, "Hello"))


if __name__ == "__main__":
    main()
