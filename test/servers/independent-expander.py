"""Expands calendar files with somebody else's code: python3-recurring-ical-events over dateutil.

stdin: [{"name", "text", "from", "to", "zone"}]; stdout: {name: {"times": [[start, end]]} | {"error": text}}.
A time is an instant in milliseconds, or a date.
"""

import datetime
import json
import sys
import zoneinfo

import icalendar
import recurring_ical_events


def plain(value, zone):
    if not isinstance(value, datetime.datetime):
        return value.isoformat()
    if value.tzinfo is None:
        value = value.replace(tzinfo=zone)
    return int(value.timestamp() * 1000)


def end_of(event):
    start = event["DTSTART"].dt
    if "DTEND" in event:
        return event["DTEND"].dt
    if "DURATION" in event:
        return start + event["DURATION"].dt
    return start if isinstance(start, datetime.datetime) else start + datetime.timedelta(days=1)


def expand(item):
    zone = zoneinfo.ZoneInfo(item["zone"])
    calendar = icalendar.Calendar.from_ical(item["text"])
    at = lambda text: datetime.datetime.fromisoformat(text).astimezone(zone)
    events = recurring_ical_events.of(calendar).between(at(item["from"]), at(item["to"]))
    return [[plain(event["DTSTART"].dt, zone), plain(end_of(event), zone)] for event in events]


answers = {}
for item in json.load(sys.stdin):
    try:
        answers[item["name"]] = {"times": expand(item)}
    except Exception as error:  # its own failures are part of what is compared
        answers[item["name"]] = {"error": f"{type(error).__name__}: {error}"[:200]}
json.dump(answers, sys.stdout)
