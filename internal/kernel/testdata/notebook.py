"""Executes a notebook by nbclient and prints the texts that its cells show as JSON."""
import json
import sys

import nbformat
from nbclient import NotebookClient

book = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(book, timeout=120, kernel_name="tailor").execute()
if len(sys.argv) > 2:
    for cell in book.cells:
        cell.metadata = {}
    book.metadata["language_info"] = {"name": "apl", "file_extension": ".apl", "mimetype": "text/apl"}
    nbformat.write(book, sys.argv[2])
nbformat.validate(book)
shown = []
for cell in book.cells:
    if cell.cell_type == "code":
        shown.append([o.get("text") or o.get("data", {}).get("text/plain") or o.get("evalue") for o in cell.outputs])
print(json.dumps(shown))
