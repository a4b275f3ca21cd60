"""Completion in bash, zsh and fish by click, extended to words such as `rows=3` and `--format=json`.

Bash also splits a line at `=` and `:`, so that `rows=3` is three words, of which completion replaces the
last. Bash and zsh append a space to a completion, which must not happen after `rows=`. Of `--format=js` click
completes only `js`, while zsh and fish ask for the whole word.
"""

import os
from typing import Any

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

BREAKS = {"=", ":"}
"""The characters at which bash, but not click, splits words."""


def joined(words: list[str], at: int) -> tuple[list[str], str, str]:
    """The joined words before the one that contains word number `at`, that one, and its part before `at`.

    A character at which bash splits joins the words on both sides, if there are any.
    """
    whole: list[str] = []
    before, last = "", ""
    for nth, word in enumerate([*words, *[""] * (at + 1 - len(words))][: at + 1]):
        if nth > 1 and (_breaks(word) or _breaks(last)):
            before = whole[-1] + (word if _breaks(word) else "")
            whole[-1] += word
        else:
            before = ""
            whole.append(word)
        last = word
    return whole[:-1], whole[-1], before


def _breaks(word: str) -> bool:
    return bool(word) and set(word) <= BREAKS


class Bash(BashComplete):
    """Bash, which splits words at `=` and `:`."""

    source_template = BashComplete.source_template.replace(
        "COMPREPLY+=($value)", "COMPREPLY+=($value)\n            [[ $value == *= ]] && compopt -o nospace"
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        """The joined words before the one to complete, and that one."""
        words, at = split_arg_string(os.environ["COMP_WORDS"]), int(os.environ["COMP_CWORD"])
        whole, word, self._before = joined(words, at)
        return whole[1:], word

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """The part of the word that bash replaces."""
        return f"{item.type},{str(item.value).removeprefix(self._before)}"


class Zsh(ZshComplete):
    """Zsh, without a space after `rows=`, where what follows `--format=` is completed alone."""

    source_template = (
        ZshComplete.source_template.replace(
            "compadd -U -V unsorted -a completions",
            "local -a begun=(${(M)completions:#*=}) whole=(${completions:#*=})\n"
            "        compadd -U -S '' -V unsorted -a begun\n"
            "        compadd -U -V unsorted -a whole",
        )
        .replace("    for type key", "    compset -P 1 '--*='\n    for type key")
        .replace('completions+=("$key")', 'completions+=("$IPREFIX$key")')  # -U replaces the whole word
    )


class Fish(FishComplete):
    """Fish, where completions of what follows `--format=` begin with it."""

    source_template = FishComplete.source_template.replace(
        "    end;\nend;",
        "    end | string replace -r '^' -- (string match -r -- '^--.*?=' (commandline -t); or echo);\nend;",
    )


def install() -> None:
    """Register these shells with click."""
    for shell in (Bash, Zsh, Fish):
        add_completion_class(shell)
