"""The use case "examine these cases": one request, one way through plan, run and reports."""
