"""What can go wrong between viva and a web server."""


class HttpFailure(Exception):
    """No complete answer came back."""


class CannotConnect(HttpFailure):
    """The server could not be reached: nothing was sent."""

    def __init__(self, os_error: OSError, proxy: str = "") -> None:
        why = os_error.strerror or str(os_error) or type(os_error).__name__
        super().__init__(f"through the proxy {proxy} of HTTP_PROXY or HTTPS_PROXY: {why}" if proxy else why)
        self.errno = os_error.errno


class ConnectTimedOut(HttpFailure):
    """The connection was not made in time: nothing was sent."""


class AnswerBroken(HttpFailure):
    """The connection closed too early, or the answer is not HTTP."""
