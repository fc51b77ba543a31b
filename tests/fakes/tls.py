"""A certificate of our own, made by openssl."""

import subprocess
from pathlib import Path


def self_signed(folder: Path, host: str) -> Path:
    """A file with a certificate for this host and its key."""
    key, certificate, both = folder / "key.pem", folder / "certificate.pem", folder / "both.pem"
    kind = "IP" if host[0].isdigit() else "DNS"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=viva"),
            *("-addext", f"subjectAltName={kind}:{host}"),
        ],
        check=True,
        capture_output=True,
    )
    both.write_bytes(certificate.read_bytes() + key.read_bytes())
    return both
