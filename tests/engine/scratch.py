"""A scratch project: one dynamic resource that keeps a number in a file.

With the setting `hold`, create waits for a file `go on`. It tells its process in `creating`.
"""

PROVIDER = """
import json, os, pathlib, sys, time
from pulumi import dynamic

class NumberProvider(dynamic.ResourceProvider):
    serialize_as_secret_always = False

    def create(self, props):
        pathlib.Path("creating").write_text(json.dumps({"pid": os.getpid(), "argv": sys.argv}))
        while props["hold"] and not pathlib.Path("go on").exists():
            time.sleep(0.05)
        pathlib.Path(props["file"]).write_text(str(int(props["number"])))
        return dynamic.CreateResult(props["file"], dict(props))

    def diff(self, id_, olds, news):
        return dynamic.DiffResult(changes=olds["number"] != news["number"])

    def update(self, id_, olds, news):
        pathlib.Path(id_).write_text(str(int(news["number"])))
        return dynamic.UpdateResult(dict(news))

    def read(self, id_, props):
        if not pathlib.Path(id_).exists():
            return dynamic.ReadResult(None, {})
        live = {**props, "number": int(pathlib.Path(id_).read_text())}
        return dynamic.ReadResult(id_, live, inputs=dict(live))

    def delete(self, id_, props):
        pathlib.Path(id_).unlink()

class Number(dynamic.Resource, module="scratch", name="Number"):
    def __init__(self, name, file, number, hold):
        super().__init__(NumberProvider(), name, {"file": file, "number": number, "hold": hold})
"""

MAIN = """
import pulumi
from numbers_in_files import Number

config = pulumi.Config()
Number("one", "one.txt", config.get_int("number") or 1, config.get_bool("hold") or False)
pulumi.export("number", config.get_int("number") or 1)
"""

PROJECT = {"__main__.py": MAIN, "numbers_in_files.py": PROVIDER}

PACK = """
import pulumi
from pulumi_policy import EnforcementLevel, PolicyPack, ResourceValidationPolicy

def validate(args, report):
    if args.resource_type.endswith(":Number") and args.props["number"] > 5:
        run = "preview" if pulumi.runtime.is_dry_run() else "update"
        report(f"{args.props['number']:.0f} is over 5 in the {run} of {pulumi.get_stack()}")

PolicyPack(
    "scratch",
    enforcement_level=EnforcementLevel.MANDATORY,
    policies=[ResourceValidationPolicy("at-most-five", "Numbers stay small.", validate)],
)
"""
