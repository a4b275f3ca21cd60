"""The title of a PDF that Graphviz has written, which gives it none."""

import re

INFO = re.compile(rb"\n(?P<number>\d+) 0 obj\s*<<(?P<fields>[^<>]*(?:<[^<>]*>[^<>]*)*)>>\s*endobj")
TRAILER = re.compile(rb"trailer\s*<<(?P<fields>.*?)>>\s*startxref\s+(?P<table>\d+)\s+%%EOF\s*$", re.DOTALL)
REFERENCE = re.compile(rb"/Info (\d+) 0 R")


def titled(pdf: bytes, title: str) -> bytes:
    """The PDF with a title, by an incremental update: its information is written once more at the end.

    A PDF with a compressed table of objects, as later releases of Cairo write it, stays as it is. Source: ISO
    32000-1, 7.5.6.
    """
    trailer = TRAILER.search(pdf)
    reference = REFERENCE.search(trailer["fields"]) if trailer else None
    if trailer is None or reference is None:
        return pdf
    found = (each for each in INFO.finditer(pdf) if each["number"] == reference[1])
    info = next(found, None)
    if info is None:
        return pdf
    text = ("\ufeff" + title).encode("utf-16-be").hex().encode()
    body = pdf if pdf.endswith(b"\n") else pdf + b"\n"
    update = b"%s 0 obj\n<<%s /Title <%s> >>\nendobj\n" % (info["number"], info["fields"].rstrip(), text)
    table = b"xref\n%s 1\n%010d 00000 n \n" % (info["number"], len(body))
    end = b"trailer\n<<%s /Prev %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        trailer["fields"].rstrip(),
        trailer["table"],
        len(body) + len(update),
    )
    return body + update + table + end
