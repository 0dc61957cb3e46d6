"""Verdicts on mutants: the results of a build folder, and those that the repository keeps.

results.jsonl in a build folder has a line for each mutant that was judged, with the build that had it.
What outlives the folder is KEPT, a line for each mutant: set, a key made of the fault's text, who killed
it (`-`: it lives), after how many seconds and bundles (`-`: not known). A kill counts more than a life: a
fault that died once stays dead as long as its text is unchanged."""
import hashlib
import json
import pathlib

KEPT = pathlib.Path(__file__).resolve().parent / "judged.tsv"


def name_of(mutant):
    """The same for the same fault in other builds, as long as its text is unchanged."""
    return (mutant["set"], mutant["unit"], mutant["operator"], mutant["before"], mutant["after"],
            mutant.get("what", mutant["place"]))


def key_of(mutant):
    return hashlib.sha256(json.dumps(name_of(mutant)).encode()).hexdigest()[:12]


def read_records(file):
    for line in file.read_text().splitlines() if file.exists() else []:
        try:
            yield json.loads(line)
        except ValueError:
            continue  # empty, or torn by a kill


def read_kept(file=KEPT):
    """By set and key, as reported by a campaign."""
    kept = {}
    for line in file.read_text().splitlines() if file.exists() else []:
        chosen, key, by, seconds, bundles = line.split("\t")
        killed = None if by == "-" else {"by": by}
        if bundles != "-":
            killed["bundles"] = int(bundles)
        kept[chosen, key] = {"killed": killed, "seconds": None if seconds == "-" else float(seconds)}
    return kept


def write_kept(judged, file=KEPT):
    """Adds these results to those kept; results of removed mutants stay."""
    kept = {**read_kept(file), **{(r["set"], key_of(r)): r for r in judged}}
    lines = []
    for (chosen, key), result in sorted(kept.items(), key=lambda item: item[0]):
        killed, seconds = result["killed"] or {"by": "-"}, result["seconds"]
        lines.append("\t".join([chosen, key, killed["by"], "-" if seconds is None else f"{seconds:.3f}",
                                str(killed.get("bundles", "-"))]))
    file.write_text("\n".join(lines) + "\n")


def of_builds(file, builds, mutants, again):
    """By name: the results of these builds, or for killed ones of any build; and the earlier survivors."""
    found, lived = {}, set()
    for record in read_records(file):
        if record["build"] == builds.get(record["set"]) or (again and record["killed"]):
            found[name_of(record)] = record
        elif not record["killed"]:
            lived.add(name_of(record))
    kept = read_kept() if again else {}
    for mutant in mutants:
        record = kept.get((mutant["set"], key_of(mutant)))
        if record and record["killed"]:
            found.setdefault(name_of(mutant), {**mutant, **record})
        elif record:
            lived.add(name_of(mutant))
    return found, lived


def known(file, mutants):
    """The results of those mutants in any build and in the kept ones; a kill overrides a survival."""
    said = {}
    for record in read_records(file):
        if not said.get(name_of(record), {}).get("killed"):
            said[name_of(record)] = record
    kept = read_kept()
    judged = []
    for mutant in mutants:
        records = [said.get(name_of(mutant)), kept.get((mutant["set"], key_of(mutant)))]
        records = [record for record in records if record]
        if records:
            judged.append({**next((r for r in records if r["killed"]), records[0]), **mutant})
    return judged
