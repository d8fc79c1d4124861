"""Charts"""
from __future__ import annotations
import json
def charts_text(about, charts):
    head = json.dumps({"layout": 1, **about}, indent=1)
    rows = [f"  {json.dumps(spot)}: {json.dumps(each)}" for spot, each in charts.items()]
    return head.removesuffix("\n}") + ',\n "charts": {\n' + ",\n".join(rows) + "\n }\n}\n"
