"""The page of a site in Firefox: it shows the labels of the database, also where a search answers."""

import json
from pathlib import Path

import pytest

from exporters.site import late
from solver import open_database
from tests.exporters.site.test_page import GAMES
from tests.exporters.support.page_reader import ALL, assert_shown
from tests.support.commandline import call
from tests.support.firefox import running
from tests.support.sites import hosted
from tests.support.solved import solved_file

pytestmark = pytest.mark.slow


def test_page_shows_every_position_as_in_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after the host is gone, where browsers hold the files."""
    monkeypatch.setattr(late, "MIN_STATES", 10)
    (tmp_path / "profile").mkdir()
    with running(tmp_path / "profile") as firefox:
        for number, (name, parameters, options) in enumerate(GAMES):
            path, folder = solved_file(name, parameters, **options), tmp_path / "sites" / str(number)
            folder.parent.mkdir(exist_ok=True)
            assert call("site", path, "-o", folder, "--offline").exit_code == 0
            with open_database(path) as db:
                texts = json.dumps([entry.position for entry in db.entries()])
                with hosted(folder.parent) as url:
                    firefox.open(f"{url}/{number}/")
                    firefox.until("document.querySelector('#moves button')")
                    assert_shown(db, firefox.evaluate(f"({ALL})({texts})"))
                    firefox.evaluate("navigator.serviceWorker.ready.then(() => null)")
                firefox.open(f"{url}/{number}/#again")
                firefox.evaluate("location.reload()")
                firefox.until("document.querySelector('#moves button')")
                assert_shown(db, firefox.evaluate(f"({ALL})({texts})"))
