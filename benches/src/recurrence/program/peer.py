"""Expands a series for each line of the input, and answers with the number of instances and the seconds."""

import datetime
import sys
import time

from dateutil import rrule, tz


def daily(zone):
    start = datetime.datetime(2006, 1, 2, 9, tzinfo=zone)
    return len(list(rrule.rrulestr("FREQ=DAILY;COUNT=3653", dtstart=start)))


def weekly(zone):
    start = datetime.datetime(2006, 1, 2, 9, tzinfo=zone)
    rule = rrule.rrulestr("FREQ=WEEKLY;BYDAY=MO,WE,FR", dtstart=start)
    window = (datetime.datetime(2026, 1, day, tzinfo=zone) for day in (1, 31))
    return len(rule.between(next(window), next(window) + datetime.timedelta(days=1), inc=True))


for line in sys.stdin:
    what, zone = line.split()
    zone = None if zone == "-" else tz.gettz(zone)
    begin = time.perf_counter()
    count = {"daily": daily, "weekly": weekly}[what](zone)
    print(count, time.perf_counter() - begin, flush=True)
