"""Records what the objects of a framework show to viva's reader, for the tests that run without the framework.

python -m tests.live.record [NAME …]     runs each sample in its virtualenv, writes tests/data/frameworks/NAME.json
"""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).parents[2]
SAMPLES = Path(__file__).parent / "frameworks"
RECORDINGS = ROOT / "tests" / "data" / "frameworks"
CONVERSATIONS = {
    "agent": (("my name is Ada",), ("both", "who am I?"), ("atlantis",), ("explode",), ("pay", "resume")),
    "clerk": (("invoice",),),
}


class Recorder:
    """Stands before every `read_…` function of a framework's file and notes what the outermost is called with."""

    def __init__(self, module: Any) -> None:
        self.notes: list[tuple[str, Any]] = []
        self._inside = False
        for name in [name for name in vars(module) if name.startswith("read_")]:
            setattr(module, name, self._watching(name, getattr(module, name)))

    def _watching(self, name: str, read: Any) -> Any:
        from tests.fakes.recorded_objects import watch

        def watching(value: Any, *more: Any) -> None:
            if self._inside:
                return read(value, *more)
            self._inside = True
            seen, note = watch(value)
            try:
                return read(seen, *more)
            finally:
                self._inside = False
                self.notes.append((name, note()))

        return watching


async def record(name: str) -> list[dict[str, Any]]:
    from tests.fakes.user_agents import target_of

    from vivavoce.errors import CallFailed
    from vivavoce.model.case import ResumeAnswer
    from vivavoce.model.transcript import Line, Transcript, Turn
    from vivavoce.protocols import CallContext
    from vivavoce.targets.frameworks.known import FRAMEWORKS, reader_of

    framework = next(each for each in FRAMEWORKS if each.name == name)
    recorder = Recorder(reader_of(framework))
    turns: list[dict[str, Any]] = []
    sample = f"{framework.name.replace('-', '_')}_agent.py"
    has = (SAMPLES / sample).read_text()
    for agent, conversations in CONVERSATIONS.items():
        if f"{agent} = " not in has and f"def {agent}(" not in has:
            continue
        for number, texts in enumerate(conversations, 1):
            target: Any = target_of("python", SAMPLES, python=f"{sample}:{agent}")
            session = await target.open(CallContext(session_id=f"s{number}", case_id="T1"))
            transcript = Transcript()
            for text in texts:
                last = transcript.last
                if text == "resume" and (last is None or not last.reply.interrupts):
                    break
                answers = (ResumeAnswer(payload={"approved": True}),) if text == "resume" else ()
                line = Line(content="" if answers else text, resume=answers)
                recorder.notes.clear()
                try:
                    reply = await session.send(line, transcript)
                except CallFailed:
                    reply = session.so_far()
                earlier = [msgspec.to_builtins(call) for turn in transcript.turns for call in turn.reply.calls]
                turns.append(
                    {
                        "agent": agent,
                        "said": text,
                        "earlier": earlier,
                        "reads": [list(note) for note in recorder.notes],
                        "reply": msgspec.to_builtins(msgspec.structs.replace(reply, logs="")),
                    }
                )
                transcript = transcript.plus(Turn(number=len(transcript.turns) + 1, line=line, reply=reply))
                if text == "explode":
                    break
            await session.close()
    return turns


def main(names: list[str]) -> None:
    if os.environ.get("VIVA_RECORDS"):
        [name] = names
        turns = asyncio.run(record(name))
        RECORDINGS.mkdir(exist_ok=True)
        (RECORDINGS / f"{name}.json").write_text(json.dumps(turns, indent=1, ensure_ascii=False) + "\n")
        return
    from tests.live.environments import environment, python_of
    from tests.live.environments import names as known

    for name in names or known():
        python = python_of(name, build=True)
        variables = {**environment(), "VIVA_RECORDS": "1"}
        variables["PYTHONPATH"] = f"{ROOT}{os.pathsep}{variables['PYTHONPATH']}"
        subprocess.run([str(python), "-m", "tests.live.record", name], cwd=ROOT, env=variables, check=True)
        print(f"{name}: {RECORDINGS / name}.json")


if __name__ == "__main__":
    main(sys.argv[1:])
