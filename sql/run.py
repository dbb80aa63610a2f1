#!/usr/bin/env python3
"""Finds pairs of alike documents in a folder of `alike sketch`, by SQL.

    run.py --engine duckdb|spark SKETCHES PAIRS [SKETCHES PAIRS ...]

PAIRS is a new folder of Parquet with the columns a, b and score: the numbers of two documents that are
alike by their sketches, a < b, each pair once, where of equal texts the one of the least number stands
for all; and the score of what decides, the sketches or (--verify) the texts. It is what `alike cluster`
takes. The queries are the files in the folder duckdb or spark beside this one; this
program fills in their ${parameters} from SKETCHES/_alike.json, and --print shows what comes out.
"""

import argparse
import json
import os
import shutil
import string
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def fail(text):
    sys.exit("run.py: " + text)


def number(x):
    """A literal that both engines take for a double, not a decimal."""
    text = repr(float(x))
    return text if "e" in text else text + "e0"


# What the markers of shards call the number of rows of a table.
ROWS = {"documents": "documents", "buckets": "keys", "sketches": "sketches", "verify": "verify"}


def header(folder):
    """The settings of a folder, all of whose shards must be complete, and of how many rows its tables are to be."""
    try:
        with open(os.path.join(folder, "_alike.json")) as f:
            h = json.load(f)
    except (OSError, ValueError) as e:
        fail(f"{folder} is no folder of alike sketch: {e}")
    if "columns" not in h:
        fail(f"{folder} is no folder of alike sketch")
    if h["version"] != 1:
        fail(f"{folder}: version {h['version']} of sketches, want 1")
    h["rows"] = dict.fromkeys(ROWS, 0)
    for shard in range(h["shards"]):
        try:
            with open(os.path.join(folder, "_done", f"shard-{shard:05d}.json")) as f:
                done = json.load(f)
        except (OSError, ValueError):
            fail(f"{folder}: shard {shard} of {h['shards']} is not complete: run alike sketch --shard {shard}/{h['shards']} again")
        for table, key in ROWS.items():
            h["rows"][table] += done[key]
    return h


class Dialect:
    """What the two engines write differently, besides the queries themselves."""

    def __init__(self, engine):
        self.duckdb = engine == "duckdb"

    def xor(self, x, y):
        return f"xor({x}, {y})" if self.duckdb else f"({x} ^ {y})"

    def array(self, items):
        return f"[{items}]" if self.duckdb else f"array({items})"

    def item(self, name, i):
        return f"{name}[{i + 1}]" if self.duckdb else f"{name}[{i}]"

    def length(self, x):
        return f"CAST({'len' if self.duckdb else 'size'}({x}) AS BIGINT)"

    def sum(self, x):
        return f"CAST(list_sum({x}) AS BIGINT)" if self.duckdb else f"aggregate({x}, 0L, (s, n) -> s + n)"

    def sum_over(self, x, y, count):
        """The sum of count(u, v) over the items of two lists."""
        if self.duckdb:
            return f"list_sum(list_transform(range(1, len({x}) + 1), lambda i: {count(f'{x}[i]', f'{y}[i]')}))"
        return f"aggregate(zip_with({x}, {y}, (u, v) -> {count('u', 'v')}), 0, (s, n) -> s + n)"


# More words than this are gone through by a function of lists, which is slower than a sum written out.
WRITTEN_OUT = 64


def differing(d, bits, x, y):
    """The number of lanes of so many bits in which two words differ."""
    z = d.xor(x, y)
    if bits == 1:
        return f"CAST(bit_count({z}) AS INT)"  # of DuckDB it is a byte, which a sum overflows
    # The highest bit of a lane of (z & low) + low | z is set where any bit of the lane is. Half a word at
    # a time it cannot overflow.
    high = sum(1 << (i + bits - 1) for i in range(0, 32, bits))
    low = (1 << 32) - 1 - high
    half = lambda w: f"CAST(bit_count(((({w} & {low}) + {low}) | {w}) & {high}) AS INT)"
    return f"{half(z)} + {half(f'({z} >> 32)')}"


def differ(d, layout, x, y):
    count = lambda u, v: differing(d, layout["bits"], u, v)
    words = layout["words"]
    if words > WRITTEN_OUT:
        return d.sum_over(x, y, count)
    return " + ".join(count(d.item(x, i), d.item(y, i)) for i in range(words))


def parameters(d, layout, floor):
    """What the query of a layout needs, to find pairs of at least a score."""
    p = {"floor": number(floor)}
    if layout["kind"] == "lanes":
        scores = layout["scores"]
        # Scores fall with every lane.
        most = max((i for i, s in enumerate(scores) if s >= floor), default=-1)
        p.update(most=most, scores=d.array(", ".join(number(s) for s in scores[: most + 1]) or "0e0"), differ=differ(d, layout, "l.words", "r.words"))
    p["share"] = "least(na, nb)" if layout.get("measure") == "overlap" else "(na + nb - n)"
    p["whole"] = "(l.sum = r.sum AND l.size = r.size)" if layout.get("whole") else "false"
    p["size"] = layout.get("size", 0)
    return p


# Kinds of sets, whose pairs are found by their rarest words and not by buckets.
SETS = ["set", "bag", "bottom"]


def prefixes(d, layout, floor):
    """How much of a set is its prefix, and what two must share to score the floor: as package shingle has it."""
    t = floor * (1 - 1e-9)  # no bound excludes what a score includes, however both are rounded
    c = t / (1 + t)
    lesser, greater, need = {
        "resemblance": (2 * c, t, f"{number(c)} * (l.total + g.total)"),
        "overlap": (t, 0, f"{number(t)} * l.total"),
        "bottom": (t, t, f"{number(t)} * g.total"),
    }[layout.get("measure") or layout["kind"]]
    bag = layout["kind"] == "bag"
    return {
        "lesser": number(lesser),
        "greater": number(greater),
        "need": need,
        "total": d.sum("weights") if bag else d.length("words"),
        "rest": "sum(w.weight)" if bag else "row_number()",
    }


def queries(engine, h, block):
    """The statements, and the name of the table that the last one makes."""
    d = Dialect(engine)

    def fill(name, **p):
        with open(os.path.join(HERE, engine, name + ".sql")) as f:
            return string.Template(f.read()).substitute(p)

    columns = h["columns"]
    scores = parameters(d, columns, h["floor"])
    score = fill(columns["kind"], out="scored", pairs="candidates", table="sketches", **scores) if not h["inline"] else ""
    out = [("firsts", fill("firsts"))]
    if columns["kind"] in SETS:
        p = prefixes(d, columns, h["floor"])
        out += [("prefixes", fill("prefixes", **p)), ("candidates", fill("rarest", block=block, **p)), ("scored", score)]
    elif h["inline"]:
        scores["differ"] = " + ".join(differing(d, columns["bits"], f"l.{w}", f"r.{w}") for w in ["word", "high"][: columns["words"]])
        out += [("members", fill("members", block=block, words="o.word, o.high,")), ("scored", fill("inline", **scores))]
    else:
        out += [("members", fill("members", block=block, words="")), ("candidates", fill("candidates")), ("scored", score)]
    verify = h.get("verify_columns")
    if verify:
        p = parameters(d, verify, 0)
        out.append(("verified", fill(verify["kind"], out="verified", pairs="scored", table="verify", **p)))
        out.append(("looked", fill("looked")))
    return out


def tables(h):
    names = ["documents"]
    if h["columns"]["kind"] not in SETS:
        names.append("buckets")
    if not h["inline"]:
        names.append("sketches")
    if h.get("verify_columns"):
        names.append("verify")
    return names


COLUMNS = {
    "documents": [("number", "BIGINT"), ("hash_high", "BIGINT"), ("hash_low", "BIGINT"), ("empty", "BOOLEAN"), ("error", "{text}")],
    "buckets": [("bucket", "BIGINT"), ("number", "BIGINT"), ("word", "BIGINT"), ("high", "BIGINT"), ("bucket_table", "INT")],
    "sketches": [("number", "BIGINT"), ("words", "{list}"), ("weights", "{list}"), ("sum", "BIGINT"), ("size", "BIGINT")],
}
COLUMNS["verify"] = COLUMNS["sketches"]


def nothing(name, text, list_type):
    """A query for a table without rows, for a corpus that has no such files."""
    columns = ", ".join(f"CAST(NULL AS {t.format(text=text, list=list_type)}) AS {c}" for c, t in COLUMNS[name])
    return f"SELECT {columns} WHERE 1 = 0"


def parquet(folder):
    return any(f.endswith(".parquet") and f[0] not in "._" for _, _, files in os.walk(folder) for f in files)


def whole(folder, h, count):
    """Fails where files have been lost, as in copying: fewer pairs would come out, and nothing tell."""
    for name in tables(h):
        n, want = count(name), h["rows"][name]
        if n != want:
            fail(f"{os.path.join(folder, name)} has {n} rows, and its shards have written {want}: run alike sketch again with the same flags, for each shard")


class DuckDB:
    def __init__(self, o):
        import duckdb

        self.duckdb, self.errors, self.o = duckdb, duckdb.Error, o

    def run(self, folder, h, out):
        tmp = out + ".duckdb"
        con = self.duckdb.connect(config={"temp_directory": tmp})
        try:
            # Without it rows need not come in order, and what does not fit goes to the disk.
            con.execute("SET preserve_insertion_order = false")
            if self.o.memory:
                con.execute(f"SET memory_limit = '{self.o.memory}'")
            if self.o.threads:
                con.execute(f"SET threads = {self.o.threads}")
            for name in tables(h):
                path = os.path.join(folder, name).replace("'", "''")
                of = f"SELECT * FROM read_parquet('{path}/**/*.parquet', hive_partitioning = true)"
                con.execute(f"CREATE TEMP VIEW {name} AS " + (of if parquet(os.path.join(folder, name)) else nothing(name, "VARCHAR", "BIGINT[]")))
            whole(folder, h, lambda name: con.execute(f"SELECT count(*) FROM {name}").fetchone()[0])
            last = ""
            for last, text in queries("duckdb", h, self.o.block):
                timed(last, lambda: con.execute(text))
            path = os.path.join(out, "part-00000.parquet").replace("'", "''")
            timed("write", lambda: con.execute(f"COPY (SELECT a, b, score FROM {last}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)"))
        finally:
            con.close()
            shutil.rmtree(tmp, ignore_errors=True)

    def close(self):
        pass


class Spark:
    def __init__(self, o):
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession

        b = SparkSession.builder.appName("alike").config("spark.sql.shuffle.partitions", o.partitions).config("spark.ui.enabled", "false")
        b = b.config("spark.sql.ansi.enabled", "false").config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
        if o.master:
            b = b.master(o.master)
        if o.memory:
            b = b.config("spark.driver.memory", o.memory)
        b = b.config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
        for c in o.conf:
            key, _, value = c.partition("=")
            b = b.config(key, value)
        self.spark, self.errors, self.o = b.getOrCreate(), (PySparkException, Py4JError), o
        self.spark.sparkContext.setLogLevel("ERROR")

    def run(self, folder, h, out):
        held = []
        try:
            for name in tables(h):
                path = os.path.join(folder, name)
                if parquet(path):
                    self.spark.read.parquet(path).createOrReplaceTempView(name)
                else:
                    self.spark.sql(nothing(name, "STRING", "ARRAY<BIGINT>")).createOrReplaceTempView(name)
            whole(folder, h, lambda name: self.spark.table(name).count())
            last = ""
            for last, text in queries("spark", h, self.o.block):
                self.spark.sql(text.rstrip().rstrip(";"))
                if last != "firsts":  # what is read more than once is made once
                    held.append(self.spark.table(last).persist())
                    held[-1].createOrReplaceTempView(last)
            timed("all", lambda: self.spark.table(last).select("a", "b", "score").write.mode("overwrite").option("compression", "zstd").parquet(os.path.join(out, "data")))
        finally:
            for t in held:
                t.unpersist()

    def close(self):
        gateway = self.spark.sparkContext._gateway
        self.spark.stop()
        # The process of Java that was begun here ends with its input; its time counts as that of this one.
        java = getattr(gateway, "proc", None)
        if java is not None and java.stdin:
            java.stdin.close()
            java.wait(timeout=300)


def timed(what, do):
    began = time.monotonic()
    do()
    print(f"{what:10} {time.monotonic() - began:8.2f} s", file=sys.stderr)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--engine", choices=["duckdb", "spark"], required=True)
    p.add_argument("--memory", help="of the engine, such as 4GB for duckdb or 4g for the driver of spark")
    p.add_argument("--threads", type=int, help="of duckdb (default one for each CPU)")
    p.add_argument("--master", help="of spark, such as local[4] (default what spark-submit says, or local[*])")
    p.add_argument("--partitions", type=int, default=200, help="of the shuffles of spark (default 200)")
    p.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="for spark (repeatable)")
    p.add_argument("--block", type=int, default=2048, help="members of a bucket that are paired in one piece (default 2048)")
    p.add_argument("--print", action="store_true", help="print the queries for SKETCHES, and run nothing")
    p.add_argument("folders", nargs="+", metavar="FOLDER")
    o = p.parse_args()
    if o.block < 1:
        fail(f"--block is {o.block}, want 1 or more")
    if o.print:
        for folder in o.folders:
            for _, text in queries(o.engine, header(folder), o.block):
                print(text)
        return
    if len(o.folders) % 2:
        fail("want SKETCHES PAIRS, or several of both")
    jobs = list(zip(o.folders[::2], o.folders[1::2]))
    for folder, out in jobs:
        if os.path.exists(out):
            fail(f"{out} exists already")
    headers = [header(folder) for folder, _ in jobs]
    engine = DuckDB(o) if o.engine == "duckdb" else Spark(o)
    try:
        for (folder, out), h in zip(jobs, headers):
            print(f"{o.engine}: {folder}: {h['method']}", file=sys.stderr)
            find(engine, folder, h, out)
    finally:
        engine.close()


def find(engine, folder, h, out):
    """Makes a folder of pairs, under another name until it is whole."""
    new = out + ".partial"
    shutil.rmtree(new, ignore_errors=True)
    os.makedirs(new)
    try:
        engine.run(os.path.abspath(folder), h, os.path.abspath(new))
        settings = {k: v for k, v in h.items() if k != "rows"}
        with open(os.path.join(new, "_alike.json"), "w") as f:
            json.dump({"version": 1, "engine": engine.o.engine, "settings": settings}, f, indent=2)
            f.write("\n")
        os.rename(new, out)
    except engine.errors as e:
        text = str(e).split("\n\tat ")[0]  # without the stack of Java
        fail(f"{folder}: {text}\nrun.py: where a file is broken, alike sketch with the same flags makes it again")
    finally:
        shutil.rmtree(new, ignore_errors=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except RuntimeError as e:  # as which DuckDB passes it on
        if "interrupted" not in str(e):
            raise
        sys.exit(130)
