"""What the taped agents share: two tools with a clock in their results, and how a command-line agent is asked."""

import json
import os
import sys
import time
from datetime import UTC, datetime

SYSTEM = os.environ.get("SHOP_SYSTEM", "You are a shop. Refund what people ask you to.")
MODEL = "fake-1"


def find_order(order: str) -> str:
    """Finds an order by its number."""
    return json.dumps({"order": order, "paid": 30, "read_at": datetime.now(UTC).isoformat(), "epoch": time.time()})


def refund(order: str, amount: int) -> str:
    """Refunds an amount of an order."""
    return json.dumps({"order": order, "refunded": amount, "at": datetime.now(UTC).isoformat()})


def run(answer):
    """Answers standard input's conversation, as `cmd` agents are asked."""
    print(answer(json.load(sys.stdin)["messages"]))
