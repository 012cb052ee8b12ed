"""Runs a command in a pseudo-terminal: pseudo-terminal.py TURNS COMMAND...

TURNS is JSON: [{"shows": TEXT, "first": LINE, "type": TEXT}]. Once the terminal shows the one text, the line is run by a shell,
without the terminal, and then the other text is typed.
Copies to standard output what the terminal shows, and exits with the code of the command.
"""

import json
import os
import pty
import subprocess
import sys

turns = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])

shown = b""
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:  # the command has ended
        break
    if not chunk:
        break
    os.write(1, chunk)
    shown += chunk
    if turns and turns[0]["shows"].encode() in shown:
        shown = b""
        turn = turns.pop(0)
        if "first" in turn:
            subprocess.run(turn["first"], shell=True, check=True, stdout=subprocess.DEVNULL)
        os.write(terminal, turn["type"].encode())

_, status = os.waitpid(child, 0)  # cspell:ignore waitpid waitstatus
sys.exit(os.waitstatus_to_exitcode(status) if not turns else 99)
