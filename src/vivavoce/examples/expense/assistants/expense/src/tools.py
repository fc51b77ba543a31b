"""The agent's tools: every public function with type hints is one."""

POLICY = {
    "travel": {"limit": 5000, "receipt_needed": True},
    "meals": {"limit": 80, "receipt_needed": True},
    "equipment": {"limit": 1000, "receipt_needed": True},
}


def get_policy(category: str) -> dict:
    """What the company pays in a category: travel, meals or equipment."""
    policy = POLICY[category]
    return {"category": category, **policy, "message": f"{category}: up to ${policy['limit']}"}


def create_expense(type: str, amount: float, currency: str = "USD") -> dict:
    """File an expense report. Returns it with its reference and status."""
    reference = f"EXP-2025-{int(amount) % 1000:03}"
    return {
        "expense": {
            "reference": reference,
            "type": type,
            "amount": amount,
            "currency": currency,
            "status": "submitted",
        }
    }
