"""What can go wrong between viva and a web server."""


class HttpFailure(Exception):
    """No whole answer came back."""


class CannotConnect(HttpFailure):
    """Nobody was there: nothing was sent."""

    def __init__(self, os_error: OSError, proxy: str = "") -> None:
        why = os_error.strerror or str(os_error) or type(os_error).__name__
        super().__init__(f"through the proxy {proxy} of HTTP_PROXY or HTTPS_PROXY: {why}" if proxy else why)
        self.errno = os_error.errno


class ConnectTimedOut(HttpFailure):
    """No connection came about in time: nothing was sent."""


class AnswerBroken(HttpFailure):
    """The server was there, and then the connection closed, or what came is not HTTP."""
