"""Files of the packed format before this one, which are read and no more written."""

from functools import cached_property

from solver.database.packed.keys.key_code import KeyDecoder
from solver.database.packed.reader import KEYS_BEFORE, PackedDatabase


class PlanesDatabase(PackedDatabase):
    """A file of the format before: it calls a stage a ply, has gaps in planes, and no dictionary."""

    about_keys, stage_column = KEYS_BEFORE, "ply"

    @cached_property
    def key_decoder(self) -> KeyDecoder:
        """What decodes keys."""
        return KeyDecoder(planes=True)
