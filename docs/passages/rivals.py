"""Marks text that stands in an earlier document too, as other tools find it.

    rivals.py CONTENDER DOCS.jsonl OUT.tsv

OUT gets rows of id, start, end, in bytes. Contenders:

    oracle      a suffix array of the folded text (divsufsort by pydivsufsort): exact
    bytes       the same of the bytes as they are, as tools on suffix arrays work
    sentences   datatrove: three sentences in a row (the steps of C4)
    ccnet       text-dedup: lines, as CCNet hashes them

Prints the seconds it took, without start and output.
"""

import json
import sys
import tempfile
import time
import unicodedata
from pathlib import Path

LENGTH = 100  # the least number of characters in common


def fold(text):
    """The characters of text after NFKC, case and runs of white space, and where each came from.

    Characters that compose across a border of two characters of the text are left alone:
    the sets of these pages have none.
    """
    out, at, space = [], [], True
    for i, c in enumerate(text):
        if c.isspace():
            if space:
                continue
            folded, space = " ", True
        else:
            folded, space = unicodedata.normalize("NFKC", c).casefold(), False
        out += folded
        at += [i] * len(folded)
    return "".join(out), at


def suffixes(docs, view, encoding, unit):
    """The characters that lie in a string of LENGTH characters that an earlier document has.

    unit is the number of bytes of a character in the encoding.
    """
    import numpy as np
    from pydivsufsort import divsufsort, kasai

    texts, ats = zip(*(view(d["text"]) for d in docs))
    whole = b"".join(t.encode(encoding) + b"\0" * unit for t in texts)
    ends = np.cumsum([(len(t.encode(encoding)) + unit) for t in texts])
    sa = divsufsort(whole)
    lcp = kasai(whole, sa)
    of = np.searchsorted(ends, sa, side="right")
    left = ends[of] - unit - sa  # bytes up to the end of the document
    least = LENGTH * unit
    joined = (lcp >= least) & (left >= least) & (np.append(left[1:], 0) >= least)
    # A group is a row of suffixes that agree in LENGTH characters.
    group = np.concatenate([[0], np.cumsum(~joined[:-1])])
    first = np.full(group[-1] + 1, len(docs))
    np.minimum.at(first, group, of)
    later = (left >= least) & (of > first[group]) & (sa % unit == 0)
    edges = np.zeros(len(whole) + 1, dtype=np.int64)
    np.add.at(edges, sa[later], 1)
    np.add.at(edges, sa[later] + least, -1)
    marked = np.cumsum(edges)[:-1] > 0
    begin = 0
    for doc, at, end in zip(docs, ats, ends):
        for i in sorted({at[j] for j in np.flatnonzero(marked[begin : end - unit : unit])}):
            yield doc["id"], i, i + 1
        begin = end


def utf8(text):
    """The bytes of text, one a character of Latin-1, and where each came from."""
    at = [i for i, c in enumerate(text) for _ in range(len(c.encode()))]
    return text.encode().decode("latin-1"), at


def datatrove(docs):
    import numpy as np
    from datatrove.data import Document
    from datatrove.pipeline.dedup import SentDedupConfig, SentenceDedupSignature, SentenceFindDedups
    from datatrove.utils.word_tokenizers import load_word_tokenizer

    config = SentDedupConfig()
    with tempfile.TemporaryDirectory() as work:
        step = SentenceDedupSignature(f"{work}/signatures", config=config)
        step.run([Document(text=d["text"], id=d["id"]) for d in docs])
        SentenceFindDedups(f"{work}/signatures", f"{work}/found", config=config).run()
        found = Path(work, "found", "0000", "00000.c4_dup")
        rows = np.fromfile(found, dtype=[("doc", "<u4"), ("sent", "<u2")]) if found.exists() else []
    tokenizer = load_word_tokenizer("eng")
    spans = {}
    for doc, sentence in rows:
        if doc not in spans:
            spans[doc] = list(tokenizer.span_tokenize(docs[doc]["text"]))
        for start, end in spans[doc][sentence : sentence + config.n_sentences]:
            yield docs[doc]["id"], start, end


def ccnet(docs):
    import click.testing
    import datasets
    from text_dedup import ccnet

    with tempfile.TemporaryDirectory() as work:
        datasets.Dataset.from_list([{"text": d["text"]} for d in docs]).save_to_disk(f"{work}/in")
        options = ["--path", f"{work}/in", "--local", "--output", f"{work}/out", "--column", "text"]
        run = click.testing.CliRunner().invoke(ccnet.main, [*options, "--cache_dir", f"{work}/cache"])
        if run.exception:
            raise run.exception
        kept = datasets.load_from_disk(f"{work}/out")
        left = dict(zip(kept["__index__"], kept["text"]))
    for i, d in enumerate(docs):
        rest = iter(left.get(i, "").split("\n"))
        wanted, at = next(rest), 0
        for line in d["text"].split("\n"):
            if line == wanted:
                wanted = next(rest, None)
            else:
                yield d["id"], at, at + len(line)
            at += len(line) + 1


CONTENDERS = {
    "oracle": lambda docs: suffixes(docs, fold, "utf-32-be", 4),
    "bytes": lambda docs: suffixes(docs, utf8, "latin-1", 1),
    "sentences": datatrove,
    "ccnet": ccnet,
}

contender, source, target = sys.argv[1:]
with open(source, encoding="utf-8") as f:
    docs = [json.loads(row) for row in f]
began = time.perf_counter()
rows = list(CONTENDERS[contender](docs))
took = time.perf_counter() - began
marks = {}
for name, start, end in rows:
    marks.setdefault(name, []).append((start, end))
with open(target, "w", encoding="utf-8") as out:
    for doc in docs:
        joined = []
        for start, end in sorted(marks.get(doc["id"], [])):
            if joined and start <= joined[-1][1]:
                joined[-1][1] = max(joined[-1][1], end)
            elif end > start:
                joined.append([start, end])
        byte, at = 0, 0
        for start, end in joined:
            first = byte + len(doc["text"][at:start].encode())
            byte, at = first + len(doc["text"][start:end].encode()), end
            print(doc["id"], first, byte, sep="\t", file=out)
print(f"{took:.2f}")
