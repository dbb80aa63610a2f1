#!/usr/bin/env python3
"""Measures a deduplication by SQL beside alike dedup, and writes the table in README.md.

    ALIKE_SQL_PYTHON=$(bash scripts/sql)
    $ALIKE_SQL_PYTHON sql/measure.py [-n 20000] [--write] [--engines duckdb,spark]

It makes a corpus (alike datasets make), and for each method runs alike dedup, alike sketch, the queries on
each engine and alike cluster; it stops where the results differ. Times of alike are those of whole
processes; an engine goes through all methods in one.
"""

import argparse
import filecmp
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = [
    ["--method", "simhash", "--verify", "sketch"],
    ["--method", "minhash:bits=8", "--verify", "sketch"],
    ["--method", "minhash:bits=8", "--verify", "text"],
    ["--method", "minhash:scheme=bottom", "--verify", "sketch"],
    ["--method", "shingle", "--verify", "sketch"],
    ["--method", "manber", "--verify", "sketch"],
    ["--method", "winnow", "--verify", "sketch"],
]
FILES = ["kept.jsonl", "removed.jsonl", "why.jsonl", "clusters.tsv"]


def run(*args):
    """Runs a command and returns its seconds, those of processors, and what it printed."""
    began, spent = time.monotonic(), processor()
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if p.returncode:
        sys.exit(f"measure.py: {' '.join(args)}: {p.stdout}")
    return time.monotonic() - began, processor() - spent, p.stdout


def both(ran):
    """What the tables say of times."""
    return f"{ran[0]:.1f} ({ran[1]:.1f})"


def processor():
    """The processor seconds of all children that have ended."""
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def size(folder, *names):
    total = 0
    for name in names:
        for root, _, files in os.walk(os.path.join(folder, name)):
            total += sum(os.path.getsize(os.path.join(root, f)) for f in files)
    return total


def cpu():
    try:
        with open("/proc/cpuinfo") as f:
            return re.search(r"model name\s*:\s*(.*)", f.read()).group(1)
    except (OSError, AttributeError):
        return platform.processor() or platform.machine()


def measure(dir, docs, engines):
    alike = os.path.join(dir, "alike")
    run("go", "build", "-o", alike, os.path.join(HERE, "..", "cmd", "alike"))
    corpus = os.path.join(dir, "corpus")
    run(alike, "datasets", "make", "-n", str(docs), "--yardstick", corpus)
    source = os.path.join(corpus, "docs.jsonl")
    with open(source, "rb") as f:
        documents = sum(1 for _ in f)
    load = os.getloadavg()[0]
    at = lambda name, i: os.path.join(dir, f"{name}-{i}")
    rows = []
    for i, case in enumerate(CASES):
        row = [case[1], case[3], both(run(alike, "dedup", source, "-o", at("want", i), "--max-drop", "100%", *case))]
        row.append(both(run(alike, "sketch", source, "-o", at("sketches", i), "--buckets", *case)))
        row.append(f"{size(at('sketches', i), 'buckets') / documents:.0f}")
        row.append(f"{size(at('sketches', i), 'sketches', 'verify') / documents:.0f}")
        rows.append(row)
    notes = []
    for engine in engines:
        jobs = [at(name, i) for i in range(len(CASES)) for name in ("sketches", "pairs-" + engine)]
        more = ["--partitions", "16"] if engine == "spark" else []
        clock, spent, text = run(sys.executable, os.path.join(HERE, "run.py"), "--engine", engine, *more, *jobs)
        notes.append(f"{engine} took {clock:.1f} s ({spent:.1f}) for all, its start included")
        # Of each folder its name, and then the seconds of its steps.
        for row, job in zip(rows, re.split(rf"^{engine}: .*$", text, flags=re.MULTILINE)[1:], strict=True):
            steps = re.findall(r"^\w+ +([0-9.]+) s$", job, flags=re.MULTILINE)
            row.append(f"{sum(map(float, steps)):.1f}")
    for i, case in enumerate(CASES):
        for engine in engines:
            clustered = run(alike, "cluster", at("pairs-" + engine, i), "--sketches", at("sketches", i), "-o", at("out-" + engine, i), "--max-drop", "100%")
            for name in FILES:
                if not filecmp.cmp(os.path.join(at("want", i), name), os.path.join(at("out-" + engine, i), name), shallow=False):
                    sys.exit(f"measure.py: {engine}, {' '.join(case)}: {name} is not that of alike dedup")
        rows[i].append(both(clustered))
    head = ["method", "verify", "alike dedup, s", "alike sketch, s", "buckets, B/doc", "sketches, B/doc"]
    head += [e + ", s" for e in engines] + ["alike cluster, s"]
    table = ["| " + " | ".join(r) + " |" for r in [head, ["---"] * len(head)] + rows]
    return "\n".join([
        f"    $ALIKE_SQL_PYTHON sql/measure.py -n {docs} --engines {','.join(engines)} --write",
        "",
        f"{documents:,} documents, {os.path.getsize(source) / 1e6:.0f} MB; {cpu()}, {os.cpu_count()} CPUs, with a load of {load:.0f} from others when it began; {time.strftime('%Y-%m-%d')}.",
        "Seconds are of the clock, and in parentheses of processors. B/doc are of compressed Parquet. An engine goes",
        f"through all methods in one process, of which the first bears what it takes to warm up: {'; '.join(notes)}.",
        "",
        *table,
    ])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("-n", type=int, default=20000, help="documents before near-duplicates are planted")
    p.add_argument("--engines", default="duckdb,spark")
    p.add_argument("--write", action="store_true", help="write the table to README.md")
    o = p.parse_args()
    with tempfile.TemporaryDirectory(prefix="alike-sql-") as dir:
        text = measure(dir, o.n, o.engines.split(","))
    print(text)
    if o.write:
        path = os.path.join(HERE, "README.md")
        with open(path) as f:
            page = f.read()
        begin, end = "<!-- times: made by sql/measure.py --write -->\n", "<!-- end of times -->"
        if begin not in page or end not in page:
            sys.exit(f"measure.py: {path} has no section of times")
        page = page[: page.index(begin) + len(begin)] + "\n" + text + "\n\n" + page[page.index(end) :]
        with open(path + ".new", "w") as f:
            f.write(page)
        os.replace(path + ".new", path)


if __name__ == "__main__":
    main()
