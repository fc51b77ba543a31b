"""The environment variables of an agent's OpenTelemetry exporter: viva's address, contents switched on, no delay."""

from collections.abc import Mapping

_NEEDED = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_BSP_SCHEDULE_DELAY")
CONTENT = {
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY",
    "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
    "ENABLE_SENSITIVE_DATA": "true",
}
"""Some frameworks (ADK, Agent Framework) leave out arguments and results without these."""


def exporter_settings(endpoint: str) -> dict[str, str]:
    return {
        "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint,
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
        "OTEL_TRACES_EXPORTER": "otlp",
        "OTEL_TRACES_SAMPLER": "parentbased_always_on",
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        **CONTENT,
    }


def how_to_export(endpoint: str) -> str:
    """The settings that every agent needs, to be copied into a shell."""
    settings = exporter_settings(endpoint)
    return in_words({name: settings[name] for name in _NEEDED})


def in_words(settings: Mapping[str, str]) -> str:
    """`A=1 B=2`"""
    return " ".join(f"{name}={value}" for name, value in settings.items())
