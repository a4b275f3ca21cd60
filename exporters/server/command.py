"""`perfectplay serve`."""

import re
import signal
import socket

import click

from exporters.server.files import served_files
from solver.commands.arguments import FILE
from solver.commands.options import command, number, trusts_rules
from solver.errors import MissingExtra, UsageError
from solver.system.plugins import how_to_install


@command("perfectplay serve tictactoe.db misere.db --port 0")
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@click.option("--host", metavar="HOST", default="127.0.0.1", show_default=True, help="Address to listen on.")
@number("--port", metavar="PORT", least=0, most=65535, words="Port; 0: any free one.", default=8000)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="Also answer to this host name; on addresses other than loopback, any name is answered.",
)
@click.option("--allow-origin", multiple=True, metavar="ORIGIN", help="Also answer pages of this origin.")
@click.option("--open", "opens", is_flag=True, help="Open the list of games in a browser.")
@trusts_rules
def serve(
    files: tuple[str, ...],
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    allow_origin: tuple[str, ...],
    opens: bool,
) -> None:
    """Serve solved games over HTTP: best moves as JSON, and pages to play against.

    Each FILE is a database, served read-only under its name without the suffix. GET /games lists the games;
    Ctrl-C ends the service.
    """
    for origin in allow_origin:
        if not re.fullmatch(r"\*|null|[a-z][a-z\d+.-]*://[^/?#]+", origin):  # browsers send only such origins
            raise UsageError(
                f"{origin!r} should be an origin such as https://games.example.org, with no / behind"
            )
    try:
        import uvicorn

        from exporters.server.app import application
        from exporters.server.limits import BoundedProtocol, answered_hosts
    except ImportError as error:
        raise MissingExtra(f"a service needs Starlette: {how_to_install('serve')}") from error
    with _listening(host, port) as sock:
        hosts = answered_hosts(sock.getsockname()[0], allow_host)
        served = served_files(files)
        config = uvicorn.Config(
            lambda: application(served, allow_origin, lambda: server.should_exit, hosts),
            factory=True,
            log_config=None,
            access_log=False,
            limit_concurrency=1000,  # further connections are refused
            timeout_graceful_shutdown=30,  # seconds for requests in progress
            server_header=False,
            http=BoundedProtocol,
            ws="none",
        )
        server = uvicorn.Server(config)
        url = "http://{}:{}/".format(f"[{host}]" if ":" in host else host, sock.getsockname()[1])
        click.echo(f"{url} serves {', '.join(served)}; Ctrl-C ends it", err=True)
        if opens:
            click.launch(url)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # uvicorn raises the signal again after the last answer
        server.run([sock])


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except OSError as error:
        reason = str(error.strerror).partition(" (while")[0]  # Python repeats the address there
        raise UsageError(
            f"cannot listen on {host}, port {port}: {reason}; choose --host and --port"
        ) from error
