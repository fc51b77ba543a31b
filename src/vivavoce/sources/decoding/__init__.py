"""Raw objects → Case, and back."""
