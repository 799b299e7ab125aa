"""Random rules on floating times, expanded by the crate and by python-dateutil.

Where the two differ by decision, and not by mistake, the expectation is changed here, each time as narrowly as the
difference is:

* The start is always an instance and counts towards COUNT; python-dateutil leaves it out where the rule does not match.
* Of the first week, python-dateutil counts BYSETPOS from the start's day on; RFC 5545 has the whole week. Such rules
  start on the first day of a week.
* A YEARLY rule with BYWEEKNO and nothing else for days has the weekday of its start; python-dateutil has all seven. The
  rule that python-dateutil gets says the weekday.
* Of BYDAY with and without ordinals in one rule, python-dateutil has what is both; RFC 5545 has either. The days of a
  rule have all ordinals or none.
* python-dateutil walks through what does not match, some rules for minutes. It gets an end, and what is found here after
  that is not compared; what it has found after half a second of its processor time is held against the beginning.
* For the days of a year that are in a week of the year before or after, python-dateutil miscounts the weeks of that
  year: it does not find week 52 at 2022-01-02, which ISO 8601 has there. BYWEEKNO is up to 51 from either end.
* BYDAY with an ordinal in a rule shorter than MONTHLY is refused here; none is made.
"""

import datetime
import itertools
import random
import signal
import subprocess
import sys

from dateutil import rrule

DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
LONG = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY"]
SHORT = ["HOURLY", "MINUTELY", "SECONDLY"]
MOST = 60
# Days in which instances are compared.
HORIZON = {"HOURLY": 200, "MINUTELY": 20, "SECONDLY": 1}


def numbers(pick, most, low, high, signed=False):
    values = [pick.randint(low, high) for _ in range(pick.randint(1, most))]
    return [-value if signed and pick.random() < 0.5 else value for value in values]


def weekdays(pick, parts):
    """BYDAY, with ordinals where a rule may have them."""
    ordinals = parts["FREQ"] in ("YEARLY", "MONTHLY") and "BYWEEKNO" not in parts
    high = 53 if parts["FREQ"] == "YEARLY" and "BYMONTH" not in parts else 5
    ordinals = ordinals and pick.random() < 0.5
    for day in pick.sample(DAYS, pick.randint(1, 4)):
        nth = numbers(pick, 1, 1, high, True)[0] if ordinals else ""
        yield f"{nth}{day}"


def rule(pick):
    """A rule, as a dictionary of its parts."""
    parts = {"FREQ": pick.choice(LONG * 2 + SHORT)}
    if pick.random() < 0.5:
        parts["INTERVAL"] = pick.randint(2, 50 if parts["FREQ"] in SHORT else 6)
    chances = [
        ("BYMONTH", 0.3, 4, 1, 12, False),
        ("BYWEEKNO", 0.1, 5, 1, 53, True),
        ("BYYEARDAY", 0.1, 20, 1, 366, True),
        ("BYMONTHDAY", 0.2, 6, 1, 31, True),
        ("BYHOUR", 0.2, 3, 0, 23, False),
        ("BYMINUTE", 0.2, 3, 0, 59, False),
        ("BYSECOND", 0.15, 3, 0, 59, False),
    ]
    for name, chance, most, low, high, signed in chances:
        if pick.random() < chance:
            values = numbers(pick, most, low, high, signed)
            parts[name] = [max(-51, min(value, 51)) if name == "BYWEEKNO" else value for value in values]
    if pick.random() < 0.4:
        parts["BYDAY"] = list(weekdays(pick, parts))
    if pick.random() < 0.2 and any(name.startswith("BY") for name in parts):
        parts["BYSETPOS"] = numbers(pick, 3, 1, pick.choice([3, 40]), True)
    if pick.random() < 0.3:
        parts["WKST"] = pick.choice(DAYS)
    return parts


def text(parts):
    values = {name: ",".join(map(str, value)) if isinstance(value, list) else value for name, value in parts.items()}
    return ";".join(f"{name}={value}" for name, value in values.items())


def start_of(pick, parts):
    start = datetime.datetime(1996, 1, 1) + datetime.timedelta(seconds=pick.randrange(12 * 365 * 86_400))
    if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
        first = DAYS.index(parts.get("WKST", "MO"))
        start -= datetime.timedelta(days=(start.weekday() - first) % 7)
    return start


def limit(pick, start):
    """COUNT, UNTIL or neither."""
    match pick.randrange(3):
        case 0:
            return {"COUNT": pick.randint(1, MOST)}
        case 1:
            until = start + datetime.timedelta(seconds=pick.randrange(3 * 365 * 86_400))
            return {"UNTIL": stamp(until)}
    return {}


def horizon(start, parts):
    """The last moment that is compared."""
    return stamp(start + datetime.timedelta(days=HORIZON.get(parts["FREQ"], 12_000)))


def stamp(moment):
    return moment.strftime("%Y%m%dT%H%M%S")


def expected(start, parts):
    """What python-dateutil finds, the start in front, and whether that is all."""
    parts = dict(parts)
    if parts["FREQ"] == "YEARLY" and "BYWEEKNO" in parts and not {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & set(parts):
        parts["BYDAY"] = [DAYS[start.weekday()]]
    count = parts.pop("COUNT", MOST)
    parts["UNTIL"] = min(parts.get("UNTIL", "9"), horizon(start, parts))
    found, complete = [start], True
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.5)
    try:
        for instance in itertools.islice(rrule.rrulestr(text(parts), dtstart=start), MOST):
            if instance != start:
                found.append(instance)
    except TimeoutError:
        complete = False
    except ValueError as error:
        # An interval that no time agrees with: python-dateutil refuses the rule, here it has the start alone.
        if "generates an empty set" not in str(error):
            raise
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return [stamp(instance) for instance in found[: min(count, MOST)]], complete


def give_up(_signal, _frame):
    raise TimeoutError


def expand(binary, cases):
    """What the crate finds: for each case the instances and how the list ends."""
    lines = [f"{stamp(start)}\t{MOST}\tRRULE:{text(parts)}\n" for start, parts in cases]
    output = subprocess.run([binary], input="".join(lines), capture_output=True, text=True, check=True).stdout
    return [line.split(" ") for line in output.splitlines()]


def main(binary, count=1_000, seed=1):
    pick, cases = random.Random(int(seed)), []
    for _ in range(int(count)):
        parts = rule(pick)
        start = start_of(pick, parts)
        cases.append((start, parts | limit(pick, start)))
    results = expand(binary, cases)
    assert len(results) == len(cases), f"{len(results)} results of {len(cases)} rules"
    signal.signal(signal.SIGVTALRM, give_up)
    differ = given_up = slow = instances = 0
    for (start, parts), (*found, ending) in zip(cases, results):
        last = horizon(start, parts)
        found = [instance for instance in found if instance <= last]
        wanted, complete = expected(start, parts)
        if not complete:
            slow += 1
            found = found[: len(wanted)]
        given_up += ending == "!"
        instances += len(wanted)
        if found != wanted:
            differ += 1
            if differ <= 10:
                print(f"DTSTART:{stamp(start)} RRULE:{text(parts)}\n  found  {found}\n  wanted {wanted}")
    print(f"{len(cases)} rules with {instances} instances, {given_up} given up after the last here and {slow} "
          f"there: {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
